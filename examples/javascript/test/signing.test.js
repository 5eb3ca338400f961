// What is hashed and signed, held against the vectors that another implementation made.

import assert from "node:assert/strict";
import { test } from "node:test";
import { hex, sha256, u32, utf8 } from "../src/bytes.js";
import * as derived from "../src/derived.js";
import { Refused } from "../src/errors.js";
import { decode, encode } from "../src/messages.js";
import { PrivateKey, isSignedBy, openEnvelope, pae, seal, unseal } from "../src/signing.js";
import { vectors } from "./vectors.js";

const match = vectors("match");
const fairplay = vectors("fairplay");
const same = (found, digits) => assert.equal(found.toString("hex"), digits);

test("a tournament's identity is made of its manifest", () => {
  for (const { body, tournament_id: id } of [
    match.manifest,
    { body: fairplay.manifest_body, tournament_id: fairplay.tournament_id },
  ]) {
    same(derived.tournamentId(hex(body)), id);
  }
});

test("a match's context binds it to one attempt", () => {
  assert.ok(match.contexts.length > 0);
  for (const { tournament_id: id, match: name, attempt, ctx } of match.contexts) {
    same(derived.matchContext(hex(id), name, attempt), ctx);
  }
});

test("what a signature covers", () => {
  for (const { type, body, value } of [...match.pae, fairplay.pae]) {
    same(pae(type, hex(body)), value);
  }
  const referee = PrivateKey.fromSeed(hex(fairplay.private_keys[0]));
  same(referee.public, fairplay.public_keys[0]);
  same(referee.sign(hex(fairplay.pae.value)), fairplay.pae.signature_by_referee);
});

test("heads", () => {
  let head = derived.GENESIS;
  for (const { type, body, head: expected } of fairplay.heads) {
    head = derived.nextHead(head, type, hex(body));
    same(head, expected);
  }
  head = derived.GENESIS;
  for (const { type, body, head: expected } of match.records) {
    head = derived.nextHead(head, type, hex(body));
    same(head, expected);
  }
});

test("match keys, chains and nonces follow from the stored secret", () => {
  const context = hex(match.contexts[0].ctx);
  match.seats.forEach((seat, number) => {
    const stored = hex(seat.stored);
    const key = derived.matchKey(stored, context, number);
    same(key.seed, seat.match_key_seed);
    same(key.public, seat.match_key);
    const links = derived.chain(stored, context, key.public, seat.D);
    assert.equal(links.length, seat.D + 1);
    for (const { k, v } of seat.links) same(links[k], v);
  });
});

test("the links of draws follow from the entry key", () => {
  const draw = vectors("draw");
  for (const { seed, key, v } of draw.entrants) {
    const entry = PrivateKey.fromSeed(hex(seed));
    same(entry.public, key);
    const links = derived.drawChain(entry, hex(draw.tournament_id), v.length - 1);
    links.forEach((link, k) => same(link, v[k]));
  }
});

test("commitments", () => {
  for (const { head_at_asked: head, seat, key, nonce, move, hash } of match.commitments) {
    same(derived.commitment(hex(head), seat, hex(key), hex(nonce), move), hash);
  }
});

test("an answer is made to the byte", () => {
  const answer = decode("Answer", hex(match.answer.body));
  const context = hex(match.contexts[0].ctx);
  const key = derived.matchKey(hex(match.seats[answer.seat].stored), context, answer.seat);
  same(seal("answer", "Answer", answer, key), match.answer.envelope);
  assert.deepEqual(unseal(hex(match.answer.envelope), "answer", "Answer", key.public), answer);
});

test("an envelope is refused by another signer, under another type, and changed in one bit", () => {
  const envelope = hex(match.answer.envelope);
  const [{ key }] = openEnvelope(envelope).signatures;
  const other = PrivateKey.fromSeed(sha256(utf8("other"))).public;
  assert.throws(() => unseal(envelope, "answer", "Answer", other), Refused);
  assert.throws(() => unseal(envelope, "event", "Event", key), Refused);
  for (let at = 0; at < envelope.length; at += 1) {
    const changed = Buffer.from(envelope);
    changed[at] ^= 1;
    assert.throws(() => unseal(changed, "answer", "Answer", key), Refused, `byte ${at}`);
  }
});

test("signatures on which libraries disagree are judged as the format says", () => {
  const { keys, signatures } = vectors("ed25519");
  assert.ok(signatures.length > 20);
  for (const { what, key, message, value, good } of signatures) {
    assert.equal(isSignedBy(hex(key), hex(message), hex(value)), good, what);
  }
  // Keys outside the subgroup of prime order are not told apart here: README.md says so.
  const small = keys.filter(({ what }) => what.startsWith("small-order"));
  assert.equal(small.length, 14);
  // By the key that is the identity this "signs" everything: R the base point, S one.
  const identity = hex("01".padEnd(64, "0"));
  const everything = hex(`58${"66".repeat(31)}${"01".padEnd(64, "0")}`);
  assert.equal(isSignedBy(identity, utf8("anything"), everything), false);
  for (const { what, key } of small) {
    assert.equal(isSignedBy(hex(key), utf8(""), Buffer.alloc(64)), false, what);
  }
});

// --- The encoding ------------------------------------------------------------------------

const bodies = vectors("bodies");

/** What a vector says, in the form that encode takes: hexadecimal digits are bytes there. */
function fields(value, like) {
  if (Array.isArray(value)) return value.map((item, at) => fields(item, like?.[at]));
  if (Buffer.isBuffer(like)) return hex(value);
  if (value !== null && typeof value === "object") {
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => [name, fields(item, like?.[name])]),
    );
  }
  return value ?? undefined;
}

test("every message is written in its one encoding, and read back", () => {
  assert.ok(bodies.good.length > 100);
  for (const { message, body, values } of bodies.good) {
    const read = decode(message, hex(body), String);
    same(encode(message, read), body);
    same(encode(message, fields(values, read)), body);
  }
});

test("what is not canonical is refused", () => {
  const missed = bodies.bad.filter(({ message, body }) => {
    try {
      decode(message, hex(body));
    } catch (error) {
      assert.ok(error instanceof Refused, error.stack);
      return false;
    }
    return true;
  });
  assert.deepEqual([...new Set(missed.map(({ what }) => what))], []);
  assert.ok(bodies.bad.length > 100);
});

test("numbers in labels are big-endian", () => {
  same(u32(258), "00000102");
});
