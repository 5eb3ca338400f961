// The bot's copy of a public log, held against the vectors.

import assert from "node:assert/strict";
import { test } from "node:test";
import { hex, utf8 } from "../src/bytes.js";
import { FalseLog, Refused } from "../src/errors.js";
import { LogCopy, Tree, leafHash, openCheckpoint } from "../src/log.js";
import { PrivateKey } from "../src/signing.js";
import { vectors } from "./vectors.js";

const log = vectors("log");
const leaves = log.leaves.map(({ data }) => hex(data));
const hashes = leaves.map(leafHash);
const tournament = hex(log.checkpoint.tournament_id);
const key = PrivateKey.fromSeed(hex(log.checkpoint.seed));
const note = utf8(log.checkpoint.note);
const all = Buffer.concat(hashes.slice(0, log.checkpoint.size));

const copy = () => new LogCopy(tournament, key.public, leaves[0]);
const news = (start, leaf_hashes, checkpoint = Buffer.alloc(0)) => ({
  size_before: start,
  leaf_hashes,
  checkpoint,
});

test("a tree has the root of every size that it ever had", () => {
  const tree = new Tree();
  for (const hash of hashes) tree.append(hash);
  log.roots.forEach((root, size) => assert.equal(tree.root(size).toString("hex"), root));
});

test("a checkpoint is read if the log signed it, whoever else did", () => {
  for (const text of [log.checkpoint.note, log.cosigned]) {
    const { size, root, bare } = openCheckpoint(utf8(text), log.checkpoint.origin, key.public);
    assert.equal(size, log.checkpoint.size);
    assert.equal(root.toString("hex"), log.roots[size]);
    assert.equal(bare.toString(), log.checkpoint.note);
  }
});

test("what is no checkpoint of this log is refused", () => {
  for (const { what, bytes } of log.not_checkpoints) {
    assert.throws(
      () => openCheckpoint(hex(bytes), log.checkpoint.origin, key.public),
      Refused,
      what,
    );
  }
  const other = PrivateKey.fromSeed(Buffer.alloc(32, 1)).public;
  assert.throws(() => openCheckpoint(note, log.checkpoint.origin, other), Refused);
  assert.throws(() => openCheckpoint(note, "aboveboard/tournament/other", key.public), Refused);
});

test("news are followed, in parts and over again", () => {
  const followed = copy();
  followed.news(news(0, all.subarray(0, 5 * 32)));
  assert.equal(followed.has(3, leaves[3]), false); // nothing has signed it yet
  followed.news(news(3, all.subarray(3 * 32), note));
  assert.equal(followed.signedSize, log.checkpoint.size);
  assert.equal(followed.note.toString(), log.checkpoint.note);
  assert.ok(followed.has(3, leaves[3]));
  assert.ok(!followed.has(3, leaves[4]));
});

test("another history is found out", () => {
  const changed = Buffer.from(all);
  changed[70] ^= 1;
  assert.throws(() => copy().news(news(0, changed, note)), FalseLog);
  const followed = copy();
  followed.news(news(0, all, note));
  assert.throws(() => followed.news(news(0, changed)), FalseLog);
  assert.throws(() => copy().news(news(0, all.subarray(32), note)), FalseLog);
  assert.throws(() => copy().news(news(1, all.subarray(32), note)), FalseLog);
});

test("an opening is in the log where the receipt says, once the news have reached it", async () => {
  const followed = copy();
  const proved = followed.opened(leaves[7], { index: 7, checkpoint: note });
  followed.news(news(0, all, note));
  assert.equal((await proved).toString(), log.checkpoint.note);
  await assert.rejects(followed.opened(leaves[7], { index: 6, checkpoint: note }), FalseLog);
});

test("another seat's checkpoint fits, or was not signed by the log", async () => {
  const followed = copy();
  followed.news(news(0, all, note));
  assert.equal(await followed.claimed(note), true);
  assert.equal(await followed.claimed(utf8("I saw nothing")), false);
});

test("the final table must be the last leaf", () => {
  const followed = copy();
  followed.news(news(0, all, note));
  followed.ends(leaves[log.checkpoint.size - 1]);
  assert.throws(() => followed.ends(leaves[0]), FalseLog);
});
