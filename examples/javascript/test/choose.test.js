// The strategy, on positions as a referee would tell them.

import assert from "node:assert/strict";
import { test } from "node:test";
import { choose } from "../choose.js";

const CRIBBAGE = {
  show_fifteen: 2,
  pair: 2,
  play_fifteen: 2,
  play_thirty_one: 2,
  play_run_suited: false,
  show_run_suited: false,
  flush: [0, 0, 0, 0, 4, 5],
};

test("a hand keeps what scores most", () => {
  const hand = { 0: "5H", 1: "5D", 2: "5C", 3: "JS", 4: "2H", 5: "8D" };
  const pairs = [0, 1, 2, 3, 4].flatMap((a) =>
    Object.keys(hand).filter((b) => b > a).map((b) => `discard ${a} ${b}`),
  );
  const state = {
    phase: "discard",
    hands: [hand, {}],
    sides: [[0], [1]],
    dealer: 1,
    unseen: ["5S", "JD", "3C", "9H"],
  };
  const turn = { game: "cribbage", seat: 0, rules: CRIBBAGE, legal: pairs, state };
  assert.equal(choose(turn), "discard 4 5");
});

test("points in the play are taken", () => {
  const state = {
    phase: "play",
    hands: [{ 2: "7H", 3: "6D" }, {}],
    pile: ["KS", "5H", "4C"],
    count: 19,
  };
  const turn = {
    game: "cribbage:source",
    seat: 0,
    rules: CRIBBAGE,
    legal: ["play 2", "play 3"],
    state,
  };
  assert.equal(choose(turn), "play 3"); // the run 4 5 6
});

test("a phase that the strategy does not know plays the first move", () => {
  const turn = { game: "allegra", legal: ["turn 0.0.0 0.0.1", "turn 0.0.0 0.0.2"] };
  assert.equal(choose({ ...turn, state: { phase: "set_up" } }), turn.legal[0]);
  assert.equal(choose({ ...turn, game: "whist", state: { phase: "bid" } }), turn.legal[0]);
});

test("a low card goes where a high one lies", () => {
  const state = { phase: "act", drawn: -1, cells: { "0.0.0": 11, "0.0.1": null }, unseen: [5] };
  const legal = ["discard 0.0.1", "swap 0.0.0", "swap 0.0.1"];
  assert.equal(choose({ game: "allegra", legal, state }), "swap 0.0.0");
});
