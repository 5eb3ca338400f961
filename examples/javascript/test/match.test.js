// One seat against referees that are honest, and some that are not.

import assert from "node:assert/strict";
import { test } from "node:test";
import { sha256, utf8 } from "../src/bytes.js";
import * as derived from "../src/derived.js";
import { Left, Refused } from "../src/errors.js";
import { Match } from "../src/match.js";
import { decode, encode, values } from "../src/messages.js";
import { PrivateKey, isSignedBy, openEnvelope, pae, seal, typeName } from "../src/signing.js";
import { State } from "../src/state.js";

const key = (name) => PrivateKey.fromSeed(sha256(utf8(name)));
const REFEREE = key("referee");
const PLACE = { tournament: sha256(utf8("tournament")), match: "r1-b1", attempt: 1, seat: 1 };
const GAME = { name: "cribbage", version: 1, rules: [] };
const CLOCK = { move_us: 1e6, protocol_us: 1e6 };
const TICKET = { ...PLACE, referee_key: REFEREE.public, game: GAME };
const NOTE = utf8("a note");

/** A stream of which the test is the other end. */
class Wire {
  sent = [];
  #frames = [];
  #wake = () => {};

  say(frame) {
    const [name] = Object.keys(frame);
    this.#frames.push({ frame: name, ...frame });
    this.#wake();
  }

  end = () => this.say({ end: true });
  close() {}
  send = (frame) => this.sent.push(frame);
  fail = (error) => this.say({ error });

  async *[Symbol.asyncIterator]() {
    while (true) {
      while (this.#frames.length === 0) {
        await new Promise((resolve) => {
          this.#wake = resolve;
        });
      }
      const next = this.#frames.shift();
      if (next.end) return;
      if (next.error) throw next.error;
      yield next;
    }
  }
}

/** A match with one seat of ours, whose referee is told what to say. */
class Table {
  wire = new Wire();
  head = null;
  told = [];
  #sequence = 0;

  constructor(state = new State(null)) {
    this.identity = { name: "bot", key: key("entry"), state };
    this.match = new Match({
      dialer: { open: async () => this.wire },
      address: "",
      ticket: TICKET,
      tournament: { id: PLACE.tournament, protocol: 3, manifest: { clock: clock() } },
      identity: this.identity,
      log: { opened: async () => NOTE, claimed: async () => true },
      choose: (turn) => turn.legal.at(-1),
      tell: (line) => this.told.push(line),
      patience: { through: (attempt) => attempt(() => {}) },
    });
    this.played = this.match.play();
    this.played.catch(() => {});
  }

  /** Let all run that can; nothing here waits for anything outside. */
  async settle() {
    for (let turn = 0; turn < 10; turn += 1) await new Promise(setImmediate);
  }

  async enter() {
    this.wire.say({ challenge: { challenge: sha256(utf8("now")), referee_key: REFEREE.public } });
    await this.settle();
    this.entrance = this.wire.sent.at(-1).entrance;
  }

  open(changes = {}) {
    const { tournament, match, attempt } = PLACE;
    const fields = {
      tournament,
      match,
      attempt,
      game: GAME,
      seats: [{}, { certificate: this.entrance.certificate }],
      clock: CLOCK,
      referee_key: REFEREE.public,
      chain_length: 8,
      ...changes,
    };
    const record = seal("match-open", "MatchOpen", fields, REFEREE);
    this.head0 = derived.nextHead(derived.GENESIS, typeName("match-open"), openEnvelope(record).body);
    this.head = this.head0;
    return record;
  }

  event(payload, changes = {}) {
    this.#sequence += 1;
    const fields = { match: this.head0, sequence: this.#sequence, previous: this.head, ...payload };
    const record = seal("event", "Event", { ...fields, ...changes }, REFEREE);
    this.head = derived.nextHead(this.head, typeName("event"), openEnvelope(record).body);
    return record;
  }

  records = (...records) => this.wire.say({ records: { records, shows: [], past: false } });

  async ask(asked, duty, turn = { legal: [] }) {
    this.wire.say({ turn: { asked, duty, json: utf8(JSON.stringify(turn)) } });
    await this.settle();
    const { answer } = this.wire.sent.at(-1);
    return answer && decode("Answer", openEnvelope(answer).body);
  }

  /** Put the newest answer into the record. */
  take() {
    this.records(this.event({ answered: { answer: this.wire.sent.at(-1).answer } }));
  }

  async accept() {
    await this.enter();
    this.records(this.open());
    this.wire.say({ logged: { index: 5, path: [], checkpoint: NOTE } });
    const answer = await this.ask(0, "accept");
    this.take();
    await this.settle();
    return answer;
  }

  close(changes = {}) {
    const fields = { match: this.head0, sequence: this.#sequence, head: this.head, ...changes };
    return seal("match-close", "MatchClose", fields, REFEREE);
  }
}

/** A clock as it is read, every field there. */
const clock = () => decode("Clock", encode("Clock", CLOCK));

const links = (table) => {
  const context = derived.matchContext(PLACE.tournament, PLACE.match, PLACE.attempt);
  const { stored } = table.identity.state;
  const { public: own } = derived.matchKey(stored, context, PLACE.seat);
  return { own, links: derived.chain(stored, context, own, 8) };
};

test("it proves its match key, asks for turns, and accepts under the log's note", async () => {
  const table = new Table();
  const answer = await table.accept();
  const { own, links: chain } = links(table);
  assert.equal(table.entrance.turns, true);
  const admission = openEnvelope(table.entrance.admission);
  assert.ok(isSignedBy(own, pae(admission.type, admission.body), admission.signatures[0].value));
  assert.deepEqual([answer.seat, answer.asked], [1, 0]);
  assert.deepEqual(answer.head, table.head0);
  assert.deepEqual(answer.accept, { tip: chain[0], checkpoint: NOTE });
});

test("no link leaves out of order, whatever the referee counts", async () => {
  const table = new Table();
  await table.accept();
  const chain = links(table).links;
  const first = await table.ask(1, "entropy", { legal: [], shuffle: 7 });
  assert.deepEqual(first.entropy.link, chain[1]);
  table.records(table.event({ deal_root: { cards: 52 } })); // and not its answer
  const again = await table.ask(2, "entropy", { legal: [], shuffle: 8 });
  assert.deepEqual(again.entropy.link, chain[1]);
  table.take();
  const next = await table.ask(3, "entropy", { legal: [], shuffle: 1 });
  assert.deepEqual(next.entropy.link, chain[2]);
});

test("one question has one answer, in the same bytes", async () => {
  const table = new Table();
  await table.accept();
  await table.ask(1, "move", { legal: ["go", "play 1"] });
  const first = table.wire.sent.at(-1).answer;
  await table.ask(1, "move", { legal: ["go"] });
  assert.deepEqual(table.wire.sent.at(-1).answer, first);
  assert.equal(decode("Answer", openEnvelope(first).body).move.text, "play 1");
});

test("a sealed move is opened to what was committed to", async () => {
  const table = new Table();
  await table.accept();
  const sealed = await table.ask(1, "sealed-move", { legal: ["bet 1", "bet 2"] });
  table.take();
  const { opening } = await table.ask(2, "open");
  const { own } = links(table);
  assert.equal(opening.text, "bet 2");
  assert.deepEqual(
    sealed.commitment.hash,
    derived.commitment(sealed.head, PLACE.seat, own, opening.nonce, opening.text),
  );
});

test("a head is that of the event that asks, whatever has come since", async () => {
  const table = new Table();
  await table.accept();
  const asked = table.head;
  table.records(table.event({ seat_lost: { seat: 0 } }));
  const answer = await table.ask(1, "move", { legal: ["go"] });
  assert.deepEqual(answer.head, asked);
});

test("records that do not follow are the end of it", async () => {
  const wrong = [
    { previous: sha256(utf8("another")) },
    { sequence: 9 },
    { match: sha256(utf8("another")) },
  ];
  for (const changes of wrong) {
    const table = new Table();
    await table.accept();
    table.records(table.event({ seat_lost: { seat: 0 } }, changes));
    await assert.rejects(table.played, Left);
  }
  const unsigned = new Table();
  await unsigned.accept();
  const { type, body } = openEnvelope(unsigned.event({ seat_lost: { seat: 0 } }));
  unsigned.records(encode("Signed", { type, body, signatures: [] }));
  await assert.rejects(unsigned.played, Refused);
});

test("an opening that is not the ticket's is not played", async () => {
  const others = [{ attempt: 2 }, { clock: { move_us: 1 } }, { seats: [{}, {}] }, { match: "r1-b2" }];
  for (const changes of others) {
    const table = new Table();
    await table.enter();
    table.records(table.open(changes));
    await assert.rejects(table.played, Left);
  }
});

test("a match that is begun anew under its name is left", async () => {
  const state = new State(null);
  const first = new Table(state);
  await first.accept();
  const second = new Table(state);
  await second.enter();
  second.records(second.open({ time_us: 1 }));
  await assert.rejects(second.played, /begun anew/);
});

test("an answer that it never gave may not stand in the record", async () => {
  const table = new Table();
  await table.accept();
  const answer = { match: table.head0, seat: PLACE.seat, asked: 1, head: table.head, move: {} };
  const forged = seal("answer", "Answer", answer, key("somebody"));
  table.records(table.event({ answered: { answer: forged } }));
  await assert.rejects(table.played, /never gave/);
});

test("the close is signed if it covers just these records", async () => {
  const table = new Table();
  await table.accept();
  const close = table.close();
  table.wire.say({ close });
  await table.settle();
  const { type, body } = openEnvelope(close);
  const { own } = links(table);
  assert.ok(isSignedBy(own, pae(type, body), table.wire.sent.at(-1).close_signature));
  table.wire.end();
  await table.played;
  for (const changes of [{ sequence: 0 }, { head: sha256(utf8("another")) }]) {
    const other = new Table();
    await other.accept();
    other.wire.say({ close: other.close(changes) });
    await assert.rejects(other.played, Left);
  }
});

test("whoever comes back to a match that is over is told so", async () => {
  const table = new Table();
  await table.enter();
  table.wire.say({ refusal: { code: values("RefusalCode").REFUSAL_CODE_MATCH_OVER, text: "", retry_us: 0 } });
  table.wire.end();
  await table.played;
  const said = "over while the connection was lost; the archive has its result";
  assert.deepEqual(table.told, [`r1-b1: ${said}`]);
});
