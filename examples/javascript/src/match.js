// One seat of one match, over as many connections as it takes.
//
//   up    Hello          ► down  Challenge
//   up    Entrance       ► down  Records, Turn      what happened, what this seat is asked
//                          down  Receipt            the opening is in the public log
//   up    answer         ► down  Records, Turn      and so on
//                          down  close              checked against the records
//   up    close_signature  and the stream ends
//
// A connection that breaks is followed by another one: Entrance says how many records are
// held, the others come, then Back, then the open question again.

import { same } from "./bytes.js";
import * as derived from "./derived.js";
import { Left, Lost } from "./errors.js";
import { decode, encode, nameOf, values } from "./messages.js";
import { checkSole, isSignedBy, openEnvelope, pae, seal, typeName } from "./signing.js";

const PLAY = "/aboveboard.v1.Referee/Play";
const CODES = values("RefusalCode");

export class Match {
  #dialer;
  #address;
  #ticket;
  #tournament;
  #identity;
  #log;
  #journal;
  #choose;
  #tell;
  #patience;

  #key; // signs for this seat alone, certified by the entry key
  #certificate;
  #links = []; // this seat's entropy chain
  #stream = null;
  #inPlay = false;

  // What the records say.
  #match = null; // head_0, which names the match
  #heads = []; // after record 0, 1, 2 …
  #linksGiven = 0; // how many of this seat's are in the record
  #committedAt = null; // the event that asked for this seat's newest commitment
  #claims = []; // promises that other seats' checkpoints fit the log

  #opening = null; // the exact MatchOpen
  #logged = withResolvers(); // of the note that goes into Accept
  #receiptCame = false;
  #working = null; // the question that is being answered
  #over = false;
  #told = false; // how it ended

  constructor({ dialer, address, ticket, tournament, identity, log, choose, tell, patience }) {
    this.#dialer = dialer;
    this.#address = address;
    this.#ticket = ticket;
    this.#tournament = tournament;
    this.#identity = identity;
    this.#log = log;
    this.#choose = choose;
    this.#tell = (text) => tell(`${ticket.match}: ${text}`);
    this.#patience = patience;
    this.#journal = identity.state.journal(tournament.id, ticket.match, ticket.attempt);
    const context = derived.matchContext(tournament.id, ticket.match, ticket.attempt);
    this.#key = derived.matchKey(identity.state.stored, context, ticket.seat);
    this.#certificate = seal(
      "match-key",
      "MatchKey",
      { ...this.#place, key: this.#key.public },
      identity.key,
    );
    this.#logged.promise.catch(() => {}); // whoever accepts finds out
  }

  get #place() {
    const { tournament, match, attempt, seat } = this.#ticket;
    return { tournament, match, attempt, seat };
  }

  /** Play to the end; throws Left for a referee that cannot be played with. */
  async play() {
    await this.#patience.through(
      (held) => this.#connect(held),
      () => this.#over,
      this.#tell,
    );
    this.#journal.end();
  }

  /** Give it up without a word, as when it is played again. */
  leave() {
    this.#over = true;
    this.#stream?.abort();
  }

  // --- One connection ------------------------------------------------------------------

  async #connect(held) {
    const stream = await this.#dialer.open(this.#address, PLAY, "MatchUp", "MatchDown");
    this.#stream = stream;
    this.#inPlay = false;
    stream.send({ hello: { protocol: this.#tournament.protocol, ...this.#place } });
    try {
      for await (const frame of stream) {
        if (frame.frame === "records") held(); // further than before
        this.#take(stream, frame);
      }
    } finally {
      stream.close();
    }
    if (!this.#over) throw new Lost("the referee ended the stream before the match was over");
  }

  #take(stream, frame) {
    switch (frame.frame) {
      case "challenge":
        this.#enter(stream, frame.challenge);
        break;
      case "records":
        this.#inPlay = true;
        this.#follow(frame.records.records);
        break;
      case "back":
        this.#inPlay = true;
        break;
      case "logged":
        if (this.#opening === null) throw new Left("a receipt before the opening");
        this.#checkReceipt(frame.logged);
        break;
      case "turn":
        this.#asked(frame.turn);
        break;
      case "close":
        this.#sign(stream, frame.close);
        break;
      case "refusal":
        this.#refused(frame.refusal);
        break;
      default:
        throw new Left(`the referee sent ${frame.frame ?? "an empty frame"}`);
    }
  }

  #enter(stream, { challenge, referee_key: referee }) {
    if (!same(referee, this.#ticket.referee_key)) {
      throw new Left("another referee answers than the one who signed the ticket");
    }
    const admission = { challenge, ...this.#place, referee_key: referee };
    stream.send({
      entrance: {
        certificate: this.#certificate,
        admission: seal("admission", "Admission", admission, this.#key),
        have: this.#heads.length,
        turns: true,
      },
    });
  }

  #checkReceipt(receipt) {
    if (this.#receiptCame) return; // it comes again with every connection
    this.#receiptCame = true;
    this.#log.opened(this.#opening, receipt).then(this.#logged.resolve, this.#logged.reject);
  }

  #refused({ code, text, retry_us: retry }) {
    // Said in the middle of a match it is of this seat alone: it is out, and the close follows.
    if (code === CODES.REFUSAL_CODE_MATCH_OVER && this.#inPlay) return;
    if (code === CODES.REFUSAL_CODE_MATCH_OVER) {
      if (!this.#told) this.#tell("over while the connection was lost; the archive has its result");
      this.#over = true;
      return;
    }
    if (code === CODES.REFUSAL_CODE_NOT_HERE || retry > 0) throw new Lost(text, retry / 1e6);
    throw new Left(`the referee refuses the bot: ${text}`);
  }

  // --- The records ---------------------------------------------------------------------

  /** Records that came together: only the last one must be signed, for it vouches for all. */
  #follow(records) {
    records.forEach((bytes, at) => {
      const signed = openEnvelope(bytes);
      if (signed.signatures.length > 0 || at === records.length - 1) {
        checkSole(signed, this.#ticket.referee_key);
      }
      if (this.#heads.length === 0) this.#open(bytes, signed);
      else this.#event(signed);
    });
  }

  #open(bytes, signed) {
    if (signed.type !== typeName("match-open")) throw new Left("the records begin with no opening");
    const open = decode("MatchOpen", signed.body);
    const { match, attempt, seat, game } = this.#ticket;
    const holds =
      same(open.tournament, this.#tournament.id) &&
      open.match === match &&
      open.attempt === attempt &&
      same(open.referee_key, this.#ticket.referee_key) &&
      same(encode("Game", open.game), encode("Game", game)) &&
      same(encode("Clock", open.clock), encode("Clock", this.#tournament.manifest.clock)) &&
      same(open.seats[seat]?.certificate ?? Buffer.alloc(0), this.#certificate);
    if (!holds) throw new Left("the opening is not what the ticket promised");
    // A referee that begins a match anew, once it knows this bot's links, could choose the deck.
    if (this.#journal.opening === null) this.#journal.keepOpening(bytes);
    else if (!same(this.#journal.opening, bytes)) throw new Left("the match was begun anew");
    this.#opening = bytes;
    this.#match = derived.nextHead(derived.GENESIS, signed.type, signed.body);
    this.#heads.push(this.#match);
    const context = derived.matchContext(open.tournament, match, attempt);
    const { stored } = this.#identity.state;
    this.#links = derived.chain(stored, context, this.#key.public, open.chain_length);
  }

  #event(signed) {
    if (signed.type !== typeName("event")) throw new Left(`a ${signed.type} among the events`);
    const event = decode("Event", signed.body);
    const head = this.#heads.at(-1);
    if (
      !same(event.match, this.#match) ||
      event.sequence !== this.#heads.length ||
      !same(event.previous, head)
    ) {
      throw new Left(`event ${event.sequence} does not follow what came before`);
    }
    this.#heads.push(derived.nextHead(head, signed.type, signed.body));
    if (event.payload === "answered") this.#answered(event.answered.answer);
    if (event.payload === "seat_out" && event.seat_out.seat === this.#ticket.seat) {
      this.#tell(`out: ${nameOf("EndReason", event.seat_out.reason)}, ${event.seat_out.rule}`);
    }
  }

  /** Somebody's answer is in the record. */
  #answered(bytes) {
    const answer = decode("Answer", openEnvelope(bytes).body);
    if (answer.seat !== this.#ticket.seat) {
      // Two bots that are shown two histories of the log find out from each other.
      if (answer.payload === "accept" && answer.accept.checkpoint.length > 0) {
        const claim = this.#log.claimed(answer.accept.checkpoint);
        claim.catch(() => {}); // it is looked at before the next answer
        this.#claims.push(claim);
      }
      return;
    }
    const mine = this.#journal.answer(answer.asked);
    if (mine === null || !same(mine, bytes)) throw new Left("an answer that this bot never gave");
    if (answer.payload === "entropy") this.#linksGiven += 1;
    if (answer.payload === "commitment") this.#committedAt = answer.asked;
  }

  // --- Answers -------------------------------------------------------------------------

  /** A question, for the first time or again after a connection was lost. */
  #asked({ asked, duty, json }) {
    if (duty === "close") {
      this.#ended(JSON.parse(json));
      return;
    }
    if (asked >= this.#heads.length) throw new Left("a question about what has not happened");
    const kept = this.#journal.answer(asked);
    if (kept !== null) {
      this.#stream.send({ answer: kept });
    } else if (this.#working !== asked) {
      this.#working = asked;
      this.#answer(asked, duty, JSON.parse(json)).catch((error) => this.#stream.fail(error));
    }
  }

  async #answer(asked, duty, turn) {
    const began = performance.now();
    const payload = await this.#decide(asked, duty, turn);
    await Promise.all(this.#claims);
    const fields = {
      match: this.#match,
      seat: this.#ticket.seat,
      asked,
      head: this.#heads[asked],
      thought_us: Math.round((performance.now() - began) * 1000),
      ...payload,
    };
    const answer = seal("answer", "Answer", fields, this.#key);
    this.#journal.keepAnswer(asked, answer); // first on disk, then on its way
    this.#stream.send({ answer });
  }

  async #decide(asked, duty, turn) {
    const { seat } = this.#ticket;
    switch (duty) {
      case "accept":
        return { accept: { tip: this.#links[0], checkpoint: await this.#logged.promise } };
      case "entropy":
        // Never by the referee's count: whoever has link 9 can compute all before it.
        return { entropy: { link: this.#links[this.#linksGiven + 1] } };
      case "move":
        return { move: { text: await this.#move(turn) } };
      case "sealed-move": {
        const text = await this.#move(turn);
        this.#journal.keepMove(asked, text);
        const head = this.#heads[asked];
        const secret = derived.nonce(this.#identity.state.stored, head, seat);
        const hash = derived.commitment(head, seat, this.#key.public, secret, text);
        return { commitment: { hash } };
      }
      case "open": {
        const text = this.#journal.move(this.#committedAt);
        const head = this.#heads[this.#committedAt];
        const secret = derived.nonce(this.#identity.state.stored, head, seat);
        return { opening: { text, nonce: secret } };
      }
      default:
        throw new Left(`the referee asks for ${JSON.stringify(duty)}, which this bot cannot do`);
    }
  }

  /** What the strategy wants to play; a strategy that fails does not cost the match. */
  async #move(turn) {
    try {
      const text = await this.#choose(turn);
      if (turn.legal.includes(text)) return text;
      this.#tell(`chose ${JSON.stringify(text)}, which is not legal; plays ${turn.legal[0]}`);
    } catch (error) {
      const where = (error.stack ?? `${error}`).split("\n", 2).map((line) => line.trim());
      this.#tell(`the strategy failed: ${where.join(" ")}; plays ${turn.legal[0]}`);
    }
    return turn.legal[0];
  }

  // --- The end -------------------------------------------------------------------------

  /** Sign that the match ended after just the records that this bot has. */
  #sign(stream, bytes) {
    const signed = openEnvelope(bytes);
    const [first] = signed.signatures;
    const close = decode("MatchClose", signed.body);
    const covered = pae(signed.type, signed.body);
    if (
      signed.type !== typeName("match-close") ||
      !first ||
      !same(first.key, this.#ticket.referee_key) ||
      !isSignedBy(first.key, covered, first.value) ||
      !same(close.match, this.#match) ||
      close.sequence !== this.#heads.length - 1 ||
      !same(close.head, this.#heads.at(-1))
    ) {
      throw new Left("the close does not fit the records");
    }
    stream.send({ close_signature: this.#key.sign(covered) });
    this.#over = true;
  }

  #ended({ result }) {
    this.#told = true;
    const { score, rank, reason } = result.seats[this.#ticket.seat];
    const how = { 0: "lost", 1: "drew", 2: "won" }[result.seats[this.#ticket.seat].half_points];
    const scores = result.seats.map((seat) => seat.score).join(" : ");
    this.#tell(
      result.reason === "played-out" && reason === "played-out"
        ? `${how} with ${score} points, rank ${rank} (${scores})`
        : `${how}, ${reason ?? result.reason}`,
    );
  }
}

/** A promise with what settles it. */
function withResolvers() {
  const made = {};
  made.promise = new Promise((resolve, reject) => Object.assign(made, { resolve, reject }));
  return made;
}
