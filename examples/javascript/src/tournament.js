// A bot's stay in a tournament: the control stream, and the matches that it sends to.
//
//   down  Greeting            whose tournament this is, and a challenge
//   up    Join                the entry, and a proof of its key
//   down  Welcome or Refusal
//   down  LogNews …           the public log, which the bot follows
//   down  DrawCall …       ►  up  draw_link, this bot's part in the draw of a round
//   down  ticket …         ►  each is played on a stream of its own
//   down  Report …         ►  up  reported
//   down  Finished            with the final table
//
// A connection that breaks is followed by another one, which begins in the same way. Matches
// go on meanwhile.

import { same } from "./bytes.js";
import { drawChain, tournamentId } from "./derived.js";
import { FalseLog, Left, Lost, NotHere, Refused } from "./errors.js";
import { LogCopy } from "./log.js";
import { Match } from "./match.js";
import { decode, encode, nameOf, values } from "./messages.js";
import { checkSole, openEnvelope, seal, typeName, unseal } from "./signing.js";

const CONTROL = "/aboveboard.v1.Lobby/Control";
const PROTOCOL = 3;
const SOFTWARE = "javascript example 1.0.0";
const SKEW_US = 300e6; // how much two machines' clocks may disagree about a ticket's end
const LAST_SECONDS = 10; // how long matches may go on once the tournament has ended
const CODES = values("RefusalCode");
const REASONS = values("EndReason");

export class Tournament {
  #dialer;
  #address;
  #identity;
  #options;
  #tell;
  #patience;

  #manifest = null; // { id, manifest, protocol }
  #log = null;
  #entrant = null;
  #drawLinks = [];
  #call = null; // a DrawCall that waits for its leaf to be in the log

  #waiting = []; // tickets that wait for room
  #playing = new Map(); // match ► Match
  #attempts = new Map(); // match ► the latest attempt
  #stop; // rejects what play() awaits
  #stopped;
  #finished = null;

  /**
   * `identity` is { name, key, state }; `options` has choose, capacity, organiser (a key that
   * the user trusts, or null), token and checked.
   */
  constructor({ dialer, address, identity, options, tell, patience }) {
    this.#dialer = dialer;
    this.#address = address;
    this.#identity = identity;
    this.#options = options;
    this.#tell = tell;
    this.#patience = patience;
    this.#stopped = new Promise((_, reject) => {
      this.#stop = reject;
    });
    this.#stopped.catch(() => {}); // it is raced against in play()
  }

  /** Enter and play all of it. Resolves to this bot's row of the final table, if it has one. */
  async play() {
    const stay = this.#patience.through(
      (held) => this.#connect(held),
      () => this.#finished !== null,
      this.#tell,
    );
    await Promise.race([stay, this.#stopped]);
    const last = Date.now() + LAST_SECONDS * 1000;
    while (this.#playing.size > 0 && Date.now() < last) {
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    return this.#finished.standings.find((row) => row.entrant === this.#entrant);
  }

  // --- One connection ------------------------------------------------------------------

  async #connect(held) {
    let stream = null;
    try {
      stream = await this.#dialer.open(this.#address, CONTROL, "ControlUp", "ControlDown");
      for await (const frame of stream) {
        if (frame.frame === "ticket") held(); // there is something to be here for
        this.#take(stream, frame);
        if (this.#finished !== null) return;
      }
    } catch (error) {
      // A wrong address is told at once; later on the server may come back.
      const unknown = error instanceof Lost && error.seconds === 0 && this.#manifest === null;
      throw unknown ? new NotHere(`nobody answers at ${this.#address}: ${error.message}`) : error;
    } finally {
      stream?.close();
    }
    throw new Lost("the server ended the stream before the tournament was over");
  }

  #take(stream, frame) {
    switch (frame.frame) {
      case "greeting":
        this.#join(stream, frame.greeting);
        break;
      case "welcome":
        if (this.#entrant === null) this.#tell(`entered as number ${frame.welcome.entrant}`);
        this.#entrant = frame.welcome.entrant;
        break;
      case "refusal":
        this.#refused(frame.refusal);
        break;
      case "log_news":
        this.#log.news(frame.log_news);
        this.#giveLink(stream);
        break;
      case "draw_call":
        this.#call = this.#checkCall(frame.draw_call);
        this.#giveLink(stream);
        break;
      case "ticket":
        this.#takeTicket(frame.ticket);
        break;
      case "pairings":
        this.#paired(this.#byOrganiser(frame.pairings, "pairings", "Pairings"));
        break;
      case "notice":
        this.#tell(frame.notice.text);
        break;
      case "report":
        this.#report(stream, frame.report);
        break;
      case "finished":
        this.#finish(frame.finished.close);
        break;
      default:
        throw new NotHere(`the server sent ${frame.frame ?? "an empty frame"}`);
    }
  }

  #join(stream, { protocol, challenge, manifest: envelope }) {
    if (protocol !== PROTOCOL) {
      throw new NotHere(`the server speaks protocol ${protocol}, this bot ${PROTOCOL}`);
    }
    const { manifest, id } = this.#checkManifest(envelope);
    const { name, key } = this.#identity;
    const entry = {
      tournament: id,
      name,
      key: key.public,
      tip: this.#drawLinks[0],
      software: SOFTWARE,
    };
    const organiser = manifest.organiser_key;
    const login = { challenge, tournament: id, organiser_key: organiser, key: key.public };
    stream.send({
      join: {
        protocol: PROTOCOL,
        login: seal("login", "Login", login, key),
        entry: seal("entry", "Entry", entry, key), // the same bytes each time
        capacity: this.#options.capacity,
        log_size: this.#log.size,
        log_checkpoint: this.#log.note,
        software: SOFTWARE,
        token: this.#options.token,
        checked: this.#options.checked,
      },
    });
  }

  /** The manifest says whose signature counts for everything after it. */
  #checkManifest(envelope) {
    const signed = openEnvelope(envelope);
    const manifest = decode("TournamentManifest", signed.body);
    if (signed.type !== typeName("tournament-manifest")) throw new Refused("no manifest");
    checkSole(signed, manifest.organiser_key);
    const id = tournamentId(signed.body);
    const { organiser } = this.#options;
    if (organiser !== null && !same(organiser, manifest.organiser_key)) {
      const found = manifest.organiser_key.toString("hex");
      throw new NotHere(`the organiser there is ${found}, not the one you named`);
    }
    if (this.#manifest === null) {
      this.#manifest = { id, manifest, protocol: PROTOCOL };
      this.#log = new LogCopy(id, manifest.log_key, envelope);
      this.#drawLinks = drawChain(this.#identity.key, id, manifest.rounds);
      this.#tell(`${manifest.title}, organiser ${manifest.organiser_key.toString("hex")}`);
    } else if (!same(id, this.#manifest.id)) {
      throw new NotHere("the server came back with another tournament");
    }
    return this.#manifest;
  }

  #refused({ code, text, retry_us: retry }) {
    if (code === CODES.REFUSAL_CODE_BUSY || retry > 0) throw new Lost(text, retry / 1e6);
    throw new NotHere(`the server refuses: ${text}`);
  }

  #byOrganiser(bytes, kind, message) {
    const said = unseal(bytes, kind, message, this.#manifest.manifest.organiser_key);
    if (!same(said.tournament, this.#manifest.id)) throw new Refused(`${kind} of another tournament`);
    return said;
  }

  // --- Draws ---------------------------------------------------------------------------

  /** A round is drawn from everybody's links, and what it must follow is this leaf. */
  #checkCall(call) {
    if (call.round === 1) this.#byOrganiser(call.leaf, "entries-closed", "EntriesClosed");
    else {
      const table = this.#byOrganiser(call.leaf, "standings", "Standings");
      if (table.round !== call.round - 1) throw new FalseLog("a draw after another round's table");
    }
    if (call.round < 1 || call.round >= this.#drawLinks.length) {
      throw new NotHere(`there is no round ${call.round} to be drawn`);
    }
    return call;
  }

  /** No link before its leaf is in the log: an organiser that knew it could choose others' keys. */
  #giveLink(stream) {
    const call = this.#call;
    if (call === null || !this.#log.has(call.index, call.leaf)) return;
    this.#call = null;
    const link = {
      tournament: this.#manifest.id,
      entrant: this.#entrant,
      round: call.round,
      link: this.#drawLinks[call.round],
    };
    stream.send({ draw_link: seal("draw-link", "DrawLink", link, this.#identity.key) });
  }

  #paired({ round, pairings }) {
    const mine = pairings.find(({ entrants }) => entrants.includes(this.#entrant));
    const others = mine?.entrants.filter((entrant) => entrant !== this.#entrant);
    this.#tell(`round ${round}: ${mine ? `against number ${others.join(", ")}` : "no game"}`);
  }

  // --- Matches -------------------------------------------------------------------------

  #takeTicket(bytes) {
    const { id, manifest } = this.#manifest;
    let ticket;
    try {
      ticket = unseal(bytes, "ticket", "Ticket", (said) => said.referee_key);
      const referee = manifest.referees.find(({ key }) => same(key, ticket.referee_key));
      if (!referee) throw new Refused("by a referee whom the manifest does not list");
      if (!same(ticket.tournament, id)) throw new Refused("for another tournament");
      const game = encode("Game", ticket.game);
      if (!manifest.games.some((listed) => same(encode("Game", listed), game))) {
        throw new Refused("for a game by rules that are not the manifest's");
      }
      if (ticket.address !== "" && ticket.address !== referee.address) {
        throw new Refused("to where the manifest has no referee");
      }
      const journal = this.#identity.state.journal(id, ticket.match, ticket.attempt);
      if (journal.over) throw new Refused("for a match that is over");
      if (journal.opening === null && ticket.expires_us + SKEW_US < Date.now() * 1000) {
        throw new Refused("expired");
      }
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.#tell(`a ticket is not used: ${error.message}`);
      return;
    }
    // Whoever comes back is sent its tickets again; a later attempt ends an earlier one.
    const latest = this.#attempts.get(ticket.match) ?? 0;
    if (ticket.attempt <= latest) return;
    this.#attempts.set(ticket.match, ticket.attempt);
    this.#playing.get(ticket.match)?.leave();
    this.#waiting = this.#waiting.filter(({ match }) => match !== ticket.match);
    this.#waiting.push(ticket);
    this.#startWaiting();
  }

  #startWaiting() {
    while (this.#waiting.length > 0 && this.#playing.size < this.#options.capacity) {
      const ticket = this.#waiting.shift();
      const match = new Match({
        dialer: this.#dialer,
        address: ticket.address || this.#address,
        ticket,
        tournament: this.#manifest,
        identity: this.#identity,
        log: this.#log,
        choose: this.#options.choose,
        tell: this.#tell,
        patience: this.#patience,
      });
      this.#playing.set(ticket.match, match);
      this.#play(ticket, match);
    }
  }

  async #play(ticket, match) {
    this.#tell(`${ticket.match}: ${ticket.game.name}, seat ${ticket.seat}`);
    try {
      await match.play();
    } catch (error) {
      if (error instanceof FalseLog || !isOfTheMatch(error)) this.#stop(error);
      else this.#tell(`${ticket.match}: left, ${error.message}`);
    }
    if (this.#playing.get(ticket.match) === match) this.#playing.delete(ticket.match);
    this.#startWaiting();
  }

  /** Why a match was lost. It comes again until its owner is known to have it. */
  #report(stream, { number, match, reason, phase, elapsed_us: elapsed, text }) {
    if (reason !== REASONS.END_REASON_PLAYED_OUT) {
      const parts = [nameOf("EndReason", reason), phase, `${(elapsed / 1e6).toFixed(1)} s`, text];
      this.#tell(`report on ${match}: ${parts.filter(Boolean).join(", ")}`);
    }
    stream.send({ reported: number });
  }

  #finish(bytes) {
    const close = this.#byOrganiser(bytes, "tournament-close", "TournamentClose");
    this.#log.ends(bytes);
    this.#finished = close;
  }
}

const isOfTheMatch = (error) =>
  error instanceof Left || error instanceof Lost || error instanceof Refused;
