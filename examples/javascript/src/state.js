// What a bot must not lose: its key, its stored secret, and every answer that it signed.
//
// All else follows from these and from what the referee sends again. An answer is on disk
// before it leaves; a process that was started anew sends the same bytes instead of deciding
// a second time, for two answers to one question would convict it.

import { randomBytes } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { PrivateKey } from "./signing.js";

/** The key in a PEM file. Where there is no file, one is made. */
export function loadKey(file) {
  try {
    const pem = fs.readFileSync(file, "utf8");
    return PrivateKey.fromPem(pem, process.env.ABOVEBOARD_PASSPHRASE);
  } catch (error) {
    if (error.code !== "ENOENT") throw error;
  }
  const key = newKey();
  writeNew(file, key.toPem());
  return key;
}

/** A key of nobody's yet. */
export const newKey = () => PrivateKey.fromSeed(randomBytes(32));

/** A bot's folder; without a path everything is kept in memory, for this process alone. */
export class State {
  #folder;
  #journals = new Map();

  constructor(folder) {
    this.#folder = folder;
    if (folder === null) {
      this.stored = randomBytes(32);
      return;
    }
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
    const file = path.join(folder, "secret");
    if (!fs.existsSync(file)) writeNew(file, randomBytes(32));
    this.stored = fs.readFileSync(file);
    if (this.stored.length !== 32) throw new Error(`${file} has not 32 bytes`);
  }

  /** The journal of one attempt at a match. */
  journal(tournament, match, attempt) {
    const name = `${tournament.toString("hex").slice(0, 16)}-${match}-${attempt}.journal`;
    if (!this.#journals.has(name)) {
      const file = this.#folder === null ? null : path.join(this.#folder, name);
      this.#journals.set(name, new Journal(file));
    }
    return this.#journals.get(name);
  }
}

/** Lines `opening HEX`, `NUMBER HEX` (an answer, by the event that asked), `move-NUMBER HEX`
 * (what a commitment hides) and `over`. */
class Journal {
  #file;
  #lines = new Map();

  constructor(file) {
    this.#file = file;
    if (file === null || !fs.existsSync(file)) return;
    const text = fs.readFileSync(file, "utf8");
    // A last line without an end was never sent: it was not on disk in full.
    const whole = text.slice(0, text.lastIndexOf("\n") + 1);
    if (whole.length < text.length) fs.truncateSync(file, Buffer.byteLength(whole));
    for (const line of whole.split("\n").slice(0, -1)) {
      const [what, digits] = line.split(" ");
      this.#lines.set(what, Buffer.from(digits ?? "", "hex"));
    }
  }

  /** The exact MatchOpen by which this bot plays, once it has seen one. */
  get opening() {
    return this.#lines.get("opening") ?? null;
  }

  get over() {
    return this.#lines.has("over");
  }

  /** The exact answer to the question that event `asked` put, if one was signed. */
  answer(asked) {
    return this.#lines.get(String(asked)) ?? null;
  }

  keepOpening(bytes) {
    this.#keep("opening", bytes);
  }

  keepAnswer(asked, bytes) {
    this.#keep(String(asked), bytes);
  }

  /** The move behind the commitment that event `asked` asked for. */
  move(asked) {
    return this.#lines.get(`move-${asked}`).toString("ascii");
  }

  keepMove(asked, text) {
    this.#keep(`move-${asked}`, Buffer.from(text, "ascii"));
  }

  end() {
    this.#keep("over", Buffer.alloc(0));
  }

  #keep(what, bytes) {
    if (this.#file !== null) {
      const file = fs.openSync(this.#file, "a", 0o600);
      try {
        fs.writeSync(file, `${what} ${bytes.toString("hex")}`.trimEnd() + "\n");
        fs.fsyncSync(file);
      } finally {
        fs.closeSync(file);
      }
    }
    this.#lines.set(what, bytes);
  }
}

/** A file that only its owner may read, and that was not there. */
function writeNew(file, data) {
  const descriptor = fs.openSync(file, "wx", 0o600);
  try {
    fs.writeSync(descriptor, data);
    fs.fsyncSync(descriptor);
  } finally {
    fs.closeSync(descriptor);
  }
}
