"""What a seat may take, and what each answer costs it. Integer microseconds.

A move is charged ``max(0, wait - refund)``, where the refund is the round trip, but no
more than the cap for one move and what is left of the match's budget for refunds:
otherwise a bot could answer pings late and think for free. It is late if and only if
the charge exceeds what the seat had when it was asked. Accepting, entropy, openings
of commitments and the closing signature have a limit of their own that costs nothing.
"""

from aboveboard_protos.v1 import bodies_pb2 as pb

WEEK_US = 7 * 24 * 3600 * 1_000_000
"""No limit is longer, and no bank grows beyond it."""

ON_THE_CLOCK = frozenset({pb.PHASE_MOVE, pb.PHASE_COMMITMENT})


class Clocks:
    """The clocks of all seats of one match, kept alike by every holder."""

    def __init__(self, limits: pb.Clock, seats: int) -> None:
        # Read once: the fields of a message cost more than all the sums.
        self._move_us = limits.move_us
        self._bank_us = limits.bank_us
        self._increment_us = limits.increment_us
        self._protocol_us = limits.protocol_us
        self._refund_cap_us = limits.refund_cap_us
        self._lag_us = limits.lag_us
        self._bank = [limits.bank_us] * seats
        self._refunds = [limits.refund_budget_us] * seats

    def left(self, seat: int, phase: pb.Phase) -> int:
        """What ``seat`` has for the answer that it is asked for in ``phase``."""
        if phase not in ON_THE_CLOCK:
            return self._protocol_us
        if not self._bank_us:
            return self._move_us
        bank = self._bank[seat]
        return min(self._move_us, bank) if self._move_us else bank

    def refund(self, seat: int, wait_us: int, round_trip_us: int) -> int:
        """How much of ``wait_us`` the network is held to account for."""
        return min(wait_us, round_trip_us, self._refund_cap_us, self._refunds[seat])

    def timing(
        self, seat: int, phase: pb.Phase, wait_us: int, round_trip_us: int, lag_us: int
    ) -> pb.Timing:
        """The record of an answer, or of its absence, after ``wait_us``."""
        return pb.Timing(
            wait_us=wait_us,
            round_trip_us=round_trip_us,
            lag_us=lag_us,
            charged_us=wait_us - self.refund(seat, wait_us, round_trip_us),
            left_us=self.left(seat, phase),
        )

    def is_late(self, timing: pb.Timing) -> bool:
        """Whether this is a verdict of late: not if the referee was late itself."""
        return timing.charged_us > timing.left_us and timing.lag_us <= self._lag_us

    def agrees(self, seat: int, phase: pb.Phase, timing: pb.Timing) -> bool:
        """Whether the sums in a recorded timing are right."""
        wait_us = timing.wait_us
        charged_us = wait_us - self.refund(seat, wait_us, timing.round_trip_us)
        return timing.charged_us == charged_us and timing.left_us == self.left(seat, phase)

    def spend(self, seat: int, phase: pb.Phase, timing: pb.Timing) -> None:
        """Charge an answer that was accepted."""
        if phase not in ON_THE_CLOCK:
            return
        self._refunds[seat] -= timing.wait_us - timing.charged_us
        if self._bank_us:
            # A verdict of late can have been voided, and then the charge exceeds the bank.
            left = max(0, self._bank[seat] - timing.charged_us)
            self._bank[seat] = min(left + self._increment_us, WEEK_US)


def check_limits(limits: pb.Clock) -> str | None:
    """What is wrong with these limits for a match, in a line; ``None`` if nothing."""
    if not (limits.move_us or limits.bank_us):
        return "moves need a limit: per move, a bank, or both"
    if not limits.protocol_us:
        return "the protocol's own answers need a limit"
    if any(getattr(limits, field.name) > WEEK_US for field in limits.DESCRIPTOR.fields):
        return "no limit is longer than a week"
    return None
