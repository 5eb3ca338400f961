#!/usr/bin/env node
// Enters a tournament and plays it: node bot.js HOST:PORT --name NAME --key FILE

import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { FalseLog, Lost, NotHere, Refused } from "./src/errors.js";
import { Patience } from "./src/patience.js";
import { State, loadKey, newKey } from "./src/state.js";
import { Tournament } from "./src/tournament.js";
import { Dialer } from "./src/transport.js";

const USAGE = `usage: node bot.js HOST:PORT --name NAME [options]

Where connections are encrypted, HOST:PORT is the whole tls://… line that the server prints.

  --name NAME        what the bot is called in the tournament
  --key FILE         its key in PEM, made if it is not there; with it the bot can be killed and
                     started again. Without it the bot has a new key for this run alone
  --state FOLDER     what it must not lose; default: FILE.state beside the key
  --organiser KEY    64 hexadecimal digits: play for this organiser alone
  --token TOKEN      an entry token, where the organiser gives them out
  --capacity N       matches at once; default 8
  --choose FILE      the strategy, a module that exports choose(turn); default choose.js here
  --patience SECONDS how long to dial again after a lost connection; default 600
  --checked          you have had the bot checked: if it was suspended, it is back
`;

const CHOOSE = fileURLToPath(new URL("choose.js", import.meta.url));

class WrongUse extends Error {}

async function main() {
  const { address, values } = commandLine();
  const choose = await strategy(values.choose);
  const key = values.key ? keyIn(values.key) : newKey();
  const folder = values.state ?? (values.key ? `${values.key}.state` : null);
  const dialer = new Dialer();
  const tournament = new Tournament({
    dialer,
    address,
    identity: { name: values.name, key, state: new State(folder) },
    options: {
      choose,
      capacity: Number(values.capacity),
      organiser: values.organiser ? Buffer.from(values.organiser, "hex") : null,
      token: values.token ?? "",
      checked: values.checked,
    },
    // What comes from elsewhere may hold anything; a terminal shall not obey it.
    tell: (text) => console.log(text.replace(/[\p{Cc}\p{Cf}]/gu, "?")),
    patience: new Patience(Number(values.patience)),
  });
  try {
    const row = await tournament.play();
    console.log(row ? `the tournament is over: rank ${row.rank}` : "the tournament is over");
  } finally {
    await dialer.close();
  }
}

async function strategy(file) {
  let module;
  try {
    module = await import(pathToFileURL(path.resolve(file)).href);
  } catch (error) {
    throw new WrongUse(`${file} cannot be loaded: ${error.message}`);
  }
  if (typeof module.choose !== "function") throw new WrongUse(`${file} exports no choose(turn)`);
  return module.choose;
}

function keyIn(file) {
  try {
    return loadKey(file);
  } catch (error) {
    throw new WrongUse(`${file} is no key file: ${error.message}`);
  }
}

function commandLine() {
  let parsed;
  try {
    parsed = parseArgs({
      allowPositionals: true,
      options: {
        name: { type: "string" },
        key: { type: "string" },
        state: { type: "string" },
        organiser: { type: "string" },
        token: { type: "string" },
        capacity: { type: "string", default: "8" },
        choose: { type: "string", default: CHOOSE },
        patience: { type: "string", default: "600" },
        checked: { type: "boolean", default: false },
        help: { type: "boolean", default: false },
      },
    });
  } catch (error) {
    throw new WrongUse(error.message);
  }
  const { values, positionals } = parsed;
  if (values.help) {
    process.stdout.write(USAGE);
    process.exit(0);
  }
  if (positionals.length !== 1 || !values.name) throw new WrongUse(`\n${USAGE}`);
  for (const name of ["capacity", "patience"]) {
    if (!/^[0-9]+$/.test(values[name])) throw new WrongUse(`--${name} is a number`);
  }
  if (values.organiser && !/^[0-9a-fA-F]{64}$/.test(values.organiser)) {
    throw new WrongUse("--organiser is 64 hexadecimal digits");
  }
  return { address: positionals[0], values };
}

// As the command `aboveboard` has it: 1 somebody signed what does not hold, 2 wrong use, 3 the
// network or the server.
main().then(
  () => process.exit(0),
  (error) => {
    const known = error instanceof WrongUse || error instanceof NotHere || error instanceof Lost;
    const verdict = error instanceof FalseLog || error instanceof Refused;
    console.error(`bot: ${known || verdict ? error.message : error.stack}`);
    process.exit(verdict ? 1 : error instanceof Lost ? 3 : 2);
  },
);
