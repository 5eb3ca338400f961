"""The lobby's door: who somebody at a control stream is, and whether it may come in."""

from collections.abc import Callable

import trio
from google.protobuf.message import DecodeError

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_protos.v1 import service_pb2 as service
from aboveboard_referee.fairplay.body import Refused, decode, encode
from aboveboard_referee.fairplay.envelope import (
    Signed,
    parse_signed,
    sign,
    type_of,
    verify_sole,
)
from aboveboard_referee.fairplay.keys import BadKey, BadSignature, PrivateKey, PublicKey
from aboveboard_referee.host.abilities import MOST_CAPACITY, lacking
from aboveboard_referee.host.frames import FRAME_LIMIT, PROTOCOL, other_protocol
from aboveboard_referee.log.tree import leaf_hash
from aboveboard_referee.tournament.history import Entrant
from aboveboard_referee.tournament.ledger.entrants import check_order
from aboveboard_referee.tournament.ledger.entries import check_entry
from aboveboard_referee.tournament.ledger.illegal import Illegal
from aboveboard_referee.tournament.ledger.ledger import Ledger
from aboveboard_server.door.not_welcome import NotWelcome
from aboveboard_server.door.tokens import Tokens
from aboveboard_server.log.public_log import PublicLog
from aboveboard_server.operations.restored import Returns
from aboveboard_server.store.store import Row


class Entrance:
    """Lets bots in and takes the word to begin, each proved for one connection."""

    def __init__(
        self,
        public_log: PublicLog,
        organiser: PrivateKey,
        now_us: Callable[[], int],
        on_entry: Callable[[str, int], None],
        tokens: Tokens | None = None,
        returns: Returns | None = None,
        most: int = 0,
    ) -> None:
        self._most = most  # entrants, where the manifest has no limit; 0: none either
        self._returns = returns  # of a state that was put back from a copy
        self.open = not public_log.ledger.closed
        self._log = public_log
        self._organiser = organiser  # lets in who comes late
        self._now_us = now_us
        self._on_entry = on_entry
        self._tokens = tokens  # without them everybody may enter
        self._door = trio.Lock()

    @property
    def _ledger(self) -> Ledger:
        return self._log.ledger

    async def close(self) -> None:
        """Let nobody new in from here on; returns once nobody is half in."""
        self.open = False
        async with self._door:
            # Whoever had the door has been let in by now.
            return

    @property
    def token_needed(self) -> bool:
        """Whether who has not entered yet needs a token to."""
        return self._tokens is not None

    async def admit(
        self, frame: service.ControlUp, challenge: bytes, peer: str = ""
    ) -> tuple[Entrant, bytes]:
        """Admit who asks to join: its number, and the key that it has proved.

        Its entry is in the log by then, under a checkpoint. ``peer`` is where it dials from.
        Raises ``NotWelcome``, and ``OlderState`` where the bot was shown more than is stored.
        """
        join = frame.join
        if frame.WhichOneof("frame") != "join":
            raise NotWelcome(service.REFUSAL_CODE_MALFORMED, "the first frame must be a join")
        if join.protocol != PROTOCOL:
            raise NotWelcome(service.REFUSAL_CODE_PROTOCOL, other_protocol(join.protocol))
        try:
            signed = parse_signed(join.entry)
            entry, _ = check_entry(
                signed, self._ledger.tournament, self._ledger.manifest.created_us
            )
            key = self._proved_key(parse_signed(join.login), challenge)
        except (Refused, BadKey, BadSignature) as error:
            raise NotWelcome(service.REFUSAL_CODE_BAD_PROOF, str(error)) from error
        if join.log_checkpoint:
            self._log.check_seen(join.log_checkpoint, entry.name)
        if self._returns is not None:
            # Who says that it has more, and does not show it, has not shown what it saw.
            shows_all = join.log_size <= self._log.tree.size
            await self._returns.come(self._ledger.field.holder(key) if shows_all else None)
        self._check_abilities(join)
        # One at a time: whether a name is free must not change before it is on disk.
        async with self._door:
            entrant = self._known(entry, key)
            if entrant is None:
                index: int | None = await self._enter(signed, entry, join.token, peer)
                entrant = len(self._ledger.field) - 1
            else:
                index = self._log.tree.find(leaf_hash(join.entry))
        if index is not None:
            await self._log.covering(index)
        return entrant, key

    def _proved_key(self, login: Signed, challenge: bytes) -> bytes:
        """The key that is here. Raises ``Refused``, ``BadKey`` or ``BadSignature``."""
        if not login.signatures:
            raise Refused("a login that nobody signed")
        key = PublicKey.parse(login.signatures[0][0])
        verify_sole(login, "login", key)
        body = decode(pb.Login, login.body)
        if (body.challenge, body.tournament) != (challenge, self._ledger.tournament):
            raise Refused("the login is for another connection or tournament")
        organiser = self._ledger.manifest.organiser_key
        if (body.organiser_key, body.key) != (organiser, key.raw):
            raise Refused("the login names another organiser or key")
        return key.raw

    def _known(self, entry: pb.Entry, key: bytes) -> Entrant | None:
        """Who it is that comes back, if it does; what it said when it entered stands."""
        field = self._ledger.field
        entrant = field.holder(key)
        if entrant is not None:
            name = field[entrant].entry.name
            if entry.name != name or entry.key not in (key, field[entrant].entry.key):
                raise NotWelcome(
                    service.REFUSAL_CODE_OTHER_ENTRY, f"this key has entered already, as {name}"
                )
            return entrant
        if entry.key != key:
            raise NotWelcome(service.REFUSAL_CODE_BAD_PROOF, "the login is by another key")
        for member in field:
            if member.entry.key == key:
                why = "was revoked" if not member.key else "was replaced by another one"
                raise NotWelcome(
                    service.REFUSAL_CODE_BAD_PROOF, f"this key of {member.entry.name} {why}"
                )
            if member.entry.name.lower() == entry.name.lower():
                raise NotWelcome(
                    service.REFUSAL_CODE_NAME_TAKEN,
                    f"the name {entry.name} is taken by another key",
                )
        return None

    def _check_abilities(self, join: service.Join) -> None:
        """Raises ``NotWelcome`` for a bot that cannot play here as it is."""
        if not 1 <= join.capacity <= MOST_CAPACITY:
            raise NotWelcome(
                service.REFUSAL_CODE_MALFORMED,
                f"a bot plays from 1 to {MOST_CAPACITY} matches at once; its capacity says "
                f"{join.capacity}",
            )
        # Who says nothing of rules says that it plays all there are.
        games = self._ledger.manifest.games
        if join.rules and (lack := lacking(games, join.rules, "the bot")):
            raise NotWelcome(service.REFUSAL_CODE_RULES, lack)

    async def _enter(self, signed: Signed, entry: pb.Entry, token: str, peer: str) -> int:
        """Let somebody new in; the leaf that says so. Raises ``NotWelcome``."""
        ledger = self._ledger
        first_round = 1 if self.open else self._late_round()
        # Where the organiser named no number, whoever makes keys could fill the tournament up.
        most = ledger.manifest.entrants_max or self._most
        if most and len(ledger.field) >= most:
            raise NotWelcome(service.REFUSAL_CODE_FULL, f"all {most} places are taken")
        rows: list[Row] = [] if self._tokens is None else [self._tokens.take(token, peer)]
        try:
            # Of the certificate of a key that comes now, the present day counts.
            check_entry(signed, ledger.tournament, self._now_us())
            leaf = signed.to_bytes()
            if not self.open:
                leaf = self._late(leaf, first_round)
            index = await self._log.append(leaf, rows)
        except (Refused, BadKey, BadSignature, Illegal) as error:
            raise NotWelcome(service.REFUSAL_CODE_BAD_PROOF, str(error)) from error
        if self._tokens is not None:
            self._tokens.spend(token)
        self._on_entry(entry.name, first_round)
        return index

    def _late_round(self) -> int:
        """The round that somebody who comes now begins with. Raises ``NotWelcome``."""
        ledger = self._ledger
        until = ledger.manifest.form.late_until
        if not ledger.closed or not until:
            why = "entries are closed"
        elif ledger.over:
            why = "the tournament is over"
        elif ledger.free_round > until:
            why = f"entries are closed: who comes late begins with round {until} at the latest"
        else:
            return ledger.free_round
        raise NotWelcome(service.REFUSAL_CODE_ENTRIES_CLOSED, why)

    def _late(self, entry: bytes, round_: int) -> bytes:
        """The leaf by which the organiser lets an entry in after the others."""
        late = pb.LateEntry(
            tournament=self._ledger.tournament,
            entry=entry,
            round=round_,
            # A clock that was set back must not keep anybody out.
            time_us=max(self._now_us(), self._ledger.time_us),
        )
        return sign(type_of("late-entry"), encode(late), self._organiser).to_bytes()

    def check_order(self, data: bytes, challenge: bytes) -> None:
        """The organiser's or an arbiter's word to begin. Raises ``NotWelcome`` where it is none."""
        try:
            body, _ = check_order(self._ledger, data)
            if body.challenge != challenge:
                raise Refused("an order for another connection")
        except (Refused, BadKey, BadSignature) as error:
            raise NotWelcome(service.REFUSAL_CODE_BAD_PROOF, str(error)) from error
        if not self.open:
            raise NotWelcome(service.REFUSAL_CODE_ENTRIES_CLOSED, "it has begun already")
        if self._ledger.paused:
            # Nothing of an order is stored until it is followed: a restart would forget it.
            raise NotWelcome(
                service.REFUSAL_CODE_MALFORMED,
                "the tournament is paused; aboveboard resume first, then start",
            )
        if (entered := len(self._ledger.field)) < 2:
            raise NotWelcome(
                service.REFUSAL_CODE_MALFORMED, f"{entered} entered so far; a tournament needs two"
            )


def read_up(data: bytes) -> service.ControlUp:
    """A bot's frame. Raises ``NotWelcome``."""
    try:
        return decode(service.ControlUp, data, limit=FRAME_LIMIT)
    except Refused as error:
        raise NotWelcome(service.REFUSAL_CODE_MALFORMED, str(error)) from error


def read_introduction(data: bytes) -> service.ControlUp:
    """A bot's first frame. Another version may have further fields, so its number comes
    before the form.
    """
    if len(data) <= FRAME_LIMIT:
        try:
            said = service.ControlUp.FromString(data).join.protocol
        except DecodeError as error:
            raise NotWelcome(service.REFUSAL_CODE_MALFORMED, "not a frame") from error
        if said not in (0, PROTOCOL):
            raise NotWelcome(service.REFUSAL_CODE_PROTOCOL, other_protocol(said))
    return read_up(data)
