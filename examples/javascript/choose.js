// The strategy: one function, and nothing here knows of keys, streams or proofs.
//
// choose(turn) gets a turn as docs/languages.md describes it and returns one of turn.legal, the
// moves as text. It may be async. turn.state is all that this seat knows; a card is a text
// such as "5H", and null where its face was not shown.

/** The move that this bot makes. */
export function choose(turn) {
  const decide = DECISIONS[turn.game.split(":")[0]]?.[turn.state.phase];
  return decide?.(turn, turn.state) ?? turn.legal[0];
}

const best = (moves, worth) =>
  moves.reduce(
    (found, move) => {
      const value = worth(move);
      return value > found.value ? { move, value } : found;
    },
    { move: moves[0], value: -Infinity },
  ).move;

const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);
const words = (move) => move.split(" ");

// --- Cribbage ----------------------------------------------------------------------------

const CRIB_RANKS = "A23456789TJQK";
const rank = (card) => CRIB_RANKS.indexOf(card[0]);
const counts = (card) => Math.min(rank(card) + 1, 10);

/** Keep what scores most with the starters that may come; throw what helps the crib's owner. */
function layAway({ legal, seat, rules }, state) {
  const hand = state.hands[seat];
  if (Object.values(hand).includes(null)) return legal[0]; // laid away unseen
  const mine = state.sides.some((side) => side.includes(seat) && side.includes(state.dealer));
  return best(legal, (move) => {
    const thrown = words(move).slice(1);
    const kept = Object.keys(hand).filter((position) => !thrown.includes(position));
    const cards = kept.map((position) => hand[position]);
    const expected = sum(state.unseen.map((starter) => showScore(rules, cards, starter)));
    const crib = pairsAndFifteens(rules, thrown.map((position) => hand[position]));
    return expected / state.unseen.length + (mine ? crib : -crib);
  });
}

function pairsAndFifteens(rules, cards) {
  let points = 0;
  for (let chosen = 1; chosen < 1 << cards.length; chosen += 1) {
    const some = cards.filter((_, at) => chosen & (1 << at));
    if (sum(some.map(counts)) === 15) points += rules.show_fifteen;
    if (some.length === 2 && rank(some[0]) === rank(some[1])) points += rules.pair;
  }
  return points;
}

/** Points of four cards with a starter: fifteens, pairs, runs and a flush of the hand. */
function showScore(rules, hand, starter) {
  const cards = [...hand, starter];
  let longest = 0;
  let runs = 0;
  for (let chosen = 1; chosen < 1 << cards.length; chosen += 1) {
    const some = cards.filter((_, at) => chosen & (1 << at));
    if (some.length < 3 || some.length < longest || !isRun(some, rules.show_run_suited)) continue;
    if (some.length > longest) [longest, runs] = [some.length, 0];
    runs += 1;
  }
  const suited = hand.every((card) => card[1] === hand[0][1]);
  const flush = suited ? rules.flush[starter[1] === hand[0][1] ? 5 : 4] : 0;
  return pairsAndFifteens(rules, cards) + longest * runs + flush;
}

function isRun(cards, ofOneSuit) {
  const ranks = cards.map(rank).sort((a, b) => a - b);
  const steps = ranks.every((value, at) => at === 0 || value === ranks[at - 1] + 1);
  return steps && (!ofOneSuit || cards.every((card) => card[1] === cards[0][1]));
}

/** Take points where there are some, and leave a count that is hard to score on. */
function peg({ legal, seat, rules }, state) {
  const hand = state.hands[seat];
  return best(legal, (move) => {
    const [verb, position] = words(move);
    if (verb !== "play") return 0;
    const card = hand[position];
    const count = state.count + counts(card);
    const awkward = count === 5 || count === 21 ? 1 : 0; // a ten makes 15 or 31
    return 4 * pegScore(rules, [...state.pile, card], count) + counts(card) / 10 - awkward;
  });
}

function pegScore(rules, pile, count) {
  let points = count === 15 ? rules.play_fifteen : count === 31 ? rules.play_thirty_one : 0;
  let alike = 1;
  while (alike < pile.length && rank(pile.at(-1 - alike)) === rank(pile.at(-1))) alike += 1;
  points += (rules.pair * alike * (alike - 1)) / 2;
  for (let length = pile.length; length >= 3; length -= 1) {
    if (isRun(pile.slice(-length), rules.play_run_suited)) return points + length;
  }
  return points;
}

// --- Nebraska ----------------------------------------------------------------------------

const NEBRASKA_RANKS = "23456789TJQKA";
const meets = (cards, other) =>
  cards.filter((card) => card[0] === other[0] || card[1] === other[1]).length;

/** Bet high where the turned card fits this hand much better or worse than most would. */
function bet({ legal, seat, rules }, state) {
  const hand = state.hands[seat];
  const cards = Object.values(hand);
  const usual = sum(state.unseen.map((card) => meets(cards, card))) / state.unseen.length;
  const matters = Math.abs(meets(cards, state.turned) - usual) > 1;
  return best(legal, (move) => {
    const card = hand[words(move)[1]];
    const strength =
      NEBRASKA_RANKS.indexOf(card[0]) - rules.suit_order.indexOf(card[1]) / rules.suit_order.length;
    const use = meets([...state.table, state.turned], card);
    return (matters ? strength : -strength) - 3 * use;
  });
}

function keepOrDiscard({ legal, seat }, state) {
  const cards = Object.values(state.hands[seat]);
  const usual = sum(state.unseen.map((card) => meets(cards, card))) / state.unseen.length;
  const wanted = meets(cards, state.turned) > usual ? "keep" : "discard";
  return legal.find((move) => move === wanted);
}

// --- Allegra -----------------------------------------------------------------------------

/** What lies in a cell, by its value, or what to expect of a card that lies face down. */
const lies = (state, cell) => state.cells[cell] ?? sum(state.unseen) / state.unseen.length;

const cellOf = (move) => words(move).at(-1);

/** What putting `value` into the move's cell takes off this seat's sum. */
const saves = (state, move, value) => lies(state, cellOf(move)) - value;

function drawOrTake({ legal }, state) {
  const take = best(
    legal.filter((move) => move.startsWith("take")),
    (move) => saves(state, move, state.top),
  );
  return take !== undefined && saves(state, take, state.top) > 3 ? take : "draw";
}

function swapOrDiscard({ legal }, state) {
  return best(legal, (move) =>
    move.startsWith("swap") ? saves(state, move, state.drawn) : legal.length > 1 ? 0.5 : 0,
  );
}

const knockOrHold = (_turn, state) => (state.drawn <= 1 ? "knock" : "hold");

// Each game's phases in which a seat is asked; a phase that is not here plays the first move.
const DECISIONS = {
  cribbage: { discard: layAway, play: peg },
  nebraska: { bet, decide: keepOrDiscard },
  allegra: {
    turn: drawOrTake,
    act: swapOrDiscard,
    knock: knockOrHold,
    choice: () => "decline",
    place: ({ legal }, state) => best(legal, (move) => lies(state, cellOf(move))),
    pick: ({ legal }, state) => best(legal, (move) => -lies(state, cellOf(move))),
    put: ({ legal }, state) => best(legal, (move) => lies(state, cellOf(move))),
  },
};
