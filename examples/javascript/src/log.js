// The bot's own copy of the tournament's public log, and checkpoints held against it.
//
// The server sends the hash of every leaf. From these the bot computes the tree itself
// (RFC 6962), so that every checkpoint it hears of, over whatever connection, is a root that it
// can compute as well. A log that shows two histories is found out by the first that differs.
// Whoever holds all hashes needs no proofs: a leaf's place is looked up.

import { same, sha256, utf8 } from "./bytes.js";
import { FalseLog, Refused } from "./errors.js";
import { isSignedBy } from "./signing.js";

export const leafHash = (leaf) => sha256(Buffer.from([0]), leaf);
const nodeHash = (left, right) => sha256(Buffer.from([1]), left, right);

/** A tree that grows by leaves' hashes and knows its root at every size it ever had. */
export class Tree {
  #levels = [[]]; // hashes of whole subtrees: of 1 leaf, of 2, of 4 …

  get size() {
    return this.#levels[0].length;
  }

  leaf(index) {
    return this.#levels[0][index];
  }

  append(hash) {
    this.#levels[0].push(hash);
    for (let level = 0; this.#levels[level].length % 2 === 0; level += 1) {
      this.#levels[level + 1] ??= [];
      this.#levels[level + 1].push(nodeHash(...this.#levels[level].slice(-2)));
    }
  }

  root(size = this.size) {
    let root = null;
    // From the smallest whole subtree, which is the rightmost, to the largest.
    for (let level = 0, rest = size; rest > 0; level += 1, rest = Math.floor(rest / 2)) {
      if (rest % 2 === 0) continue;
      const subtree = this.#levels[level][rest - 1];
      root = root === null ? subtree : nodeHash(subtree, root);
    }
    return root ?? sha256();
  }
}

/**
 * A C2SP signed note of a checkpoint: its size, its root, and `bare`, the note with this
 * log's signature alone. Throws Refused unless the log's key signed it.
 */
export function openCheckpoint(bytes, origin, logKey) {
  const note = bytes.toString("utf8");
  if (!same(utf8(note), bytes)) throw new Refused("a checkpoint that is not UTF-8");
  const gap = note.lastIndexOf("\n\n");
  if (gap < 0 || !note.endsWith("\n")) throw new Refused("a checkpoint without signatures");
  const text = note.slice(0, gap + 1);
  const [name, size, root] = text.split("\n");
  if (name !== origin) throw new Refused("a checkpoint of another log");
  if (!/^(0|[1-9][0-9]{0,14})$/.test(size)) throw new Refused("a checkpoint of no size");

  const typed = Buffer.concat([Buffer.from([1]), logKey]); // 1 is Ed25519 over the text
  const keyId = sha256(utf8(origin), utf8("\n"), typed).subarray(0, 4);
  const mine = note
    .slice(gap + 2, -1)
    .split("\n")
    .filter((line) => {
      const [dash, who, encoded, ...more] = line.split(" ");
      if (dash !== "—" || !encoded || more.length > 0) throw new Refused("no signature line");
      return who === origin && same(unbase64(encoded).subarray(0, 4), keyId);
    });
  if (mine.length === 0) throw new Refused("a checkpoint that the log did not sign");
  for (const line of mine) {
    const signature = unbase64(line.split(" ")[2]).subarray(4);
    if (!isSignedBy(logKey, utf8(text), signature)) throw new Refused("a forged checkpoint");
  }
  const hash = unbase64(root);
  if (hash.length !== 32) throw new Refused("a checkpoint without a root");
  return { size: Number(size), root: hash, bare: utf8(`${text}\n${mine[0]}\n`) };
}

function unbase64(text) {
  const bytes = Buffer.from(text, "base64");
  if (bytes.toString("base64") !== text) throw new Refused("what is not base64 in a checkpoint");
  return bytes;
}

/** The log of one tournament as this bot was told of it. */
export class LogCopy {
  #tree = new Tree();
  #origin;
  #key;
  #manifest;
  #waiting = []; // { size, resolve } for sizes that the news have yet to reach

  /** So many leaves are below the newest checkpoint that fits, and this is its note. */
  signedSize = 0;
  note = Buffer.alloc(0);

  constructor(tournament, logKey, manifestEnvelope) {
    this.#origin = `aboveboard/tournament/${tournament.toString("hex")}`;
    this.#key = logKey;
    this.#manifest = leafHash(manifestEnvelope);
  }

  /** How many leaves' hashes are held: where the news have to go on. */
  get size() {
    return this.#tree.size;
  }

  /** LogNews came. Throws FalseLog where they do not continue what was told before. */
  news({ size_before: start, leaf_hashes: hashes, checkpoint: note }) {
    if (start > this.size || hashes.length % 32 !== 0) {
      throw new FalseLog(`the news leave out leaves after ${this.size}`);
    }
    for (let at = 0; at < hashes.length; at += 32) {
      const index = start + at / 32;
      const hash = Buffer.from(hashes.subarray(at, at + 32));
      if (index === 0 && !same(hash, this.#manifest)) {
        throw new FalseLog("the log begins with another manifest");
      }
      if (index === this.size) this.#tree.append(hash);
      else if (!same(hash, this.#tree.leaf(index))) {
        throw new FalseLog(`leaf ${index} is another than before`);
      }
    }
    if (note.length === 0) return; // more hashes follow
    const checkpoint = this.#open(note);
    this.#hold(checkpoint);
    if (checkpoint.size >= this.signedSize) {
      [this.signedSize, this.note] = [checkpoint.size, checkpoint.bare];
    }
    const reached = this.#waiting.filter(({ size }) => size <= this.signedSize);
    this.#waiting = this.#waiting.filter(({ size }) => size > this.signedSize);
    for (const { resolve } of reached) resolve();
  }

  /** Whether this envelope is a leaf at this place, under a signed checkpoint. */
  has(index, leaf) {
    return index < this.signedSize && same(this.#tree.leaf(index), leafHash(leaf));
  }

  /**
   * A Receipt says that `opening` is a leaf. Resolves, once the news have reached its
   * checkpoint, to the note that belongs into Accept. Rejects with FalseLog.
   */
  async opened(opening, { index, checkpoint: note }) {
    const checkpoint = this.#open(note);
    await this.#reached(checkpoint.size);
    this.#hold(checkpoint);
    if (index >= checkpoint.size || !this.has(index, opening)) {
      throw new FalseLog("the match's opening is not where the receipt has it in the log");
    }
    return checkpoint.bare;
  }

  /**
   * Another seat signed that it was shown this checkpoint. Resolves once it fits; to false
   * where the log did not sign it, which says nothing of the log. Rejects with FalseLog.
   */
  async claimed(note) {
    let checkpoint;
    try {
      checkpoint = openCheckpoint(note, this.#origin, this.#key);
    } catch (error) {
      if (error instanceof Refused) return false;
      throw error;
    }
    await this.#reached(checkpoint.size);
    this.#hold(checkpoint);
    return true;
  }

  /** The tournament is over, and this is its last leaf. Throws FalseLog if it is not. */
  ends(leaf) {
    if (this.signedSize !== this.size || !this.has(this.size - 1, leaf)) {
      throw new FalseLog("the final table is not the log's last leaf");
    }
  }

  #open(note) {
    try {
      return openCheckpoint(note, this.#origin, this.#key);
    } catch (error) {
      if (error instanceof Refused) throw new FalseLog(`the server shows ${error.message}`);
      throw error;
    }
  }

  #hold({ size, root }) {
    if (size > this.size || !same(root, this.#tree.root(size))) {
      throw new FalseLog(`the root of ${size} leaves is another`);
    }
  }

  async #reached(size) {
    if (size > this.signedSize) {
      await new Promise((resolve) => {
        this.#waiting.push({ size, resolve });
      });
    }
  }
}
