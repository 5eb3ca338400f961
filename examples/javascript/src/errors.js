// What can go wrong, by what is to be done about it.

/** What came is not what it should be: somebody's fault. */
export class Refused extends Error {}

/** The public log is not one history, or not what was promised: nothing is played on. */
export class FalseLog extends Error {}

/** The server will not have this bot, or the bot not this server; trying again is no use. */
export class NotHere extends Error {}

/** One match is left: its referee is not to be played with, or will not have this bot. */
export class Left extends Error {}

/** A connection is gone, or nobody answers; trying again may help, after so many seconds. */
export class Lost extends Error {
  constructor(text, seconds = 0) {
    super(text);
    this.seconds = seconds;
  }
}
