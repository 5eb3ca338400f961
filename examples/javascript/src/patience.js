// How a lost connection is dialled again: soon, then less often, and not for ever.

import { setTimeout as sleep } from "node:timers/promises";
import { Lost } from "./errors.js";

const FIRST_SECONDS = 0.1;
const MOST_SECONDS = 5;
const HELD_SECONDS = 5; // a connection that stood for so long makes good for what failed before

export class Patience {
  #seconds;

  /** How many seconds one outage may last. */
  constructor(seconds) {
    this.#seconds = seconds;
  }

  /**
   * Call `attempt` until it returns or `over` holds. It is called again after it has thrown
   * Lost; any other error comes through, and the last Lost once patience is at its end.
   * `attempt` is given a function to call once its connection was of use: with that, or after
   * some seconds, the next loss begins anew.
   */
  async through(attempt, over, tell) {
    let lostAt = null;
    let delay = FIRST_SECONDS;
    while (!over()) {
      const began = performance.now();
      let held = false;
      try {
        return await attempt(() => {
          held = true;
        });
      } catch (error) {
        if (over()) return undefined;
        if (!(error instanceof Lost)) throw error;
        const now = performance.now();
        if (held || now - began >= HELD_SECONDS * 1000) [lostAt, delay] = [null, FIRST_SECONDS];
        if (lostAt === null) tell(`connection lost: ${error.message}`);
        lostAt ??= now;
        if (now - lostAt >= this.#seconds * 1000) throw error;
        await sleep(Math.max(delay * (0.5 + Math.random() / 2), error.seconds) * 1000);
        delay = Math.min(2 * delay, MOST_SECONDS);
      }
    }
    return undefined;
  }
}
