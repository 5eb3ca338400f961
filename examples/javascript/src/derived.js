// Everything that follows from keys, the stored secret and the records by a formula of
// docs/format.md, sections 8, 9 and 11.
//
// Key and stored secret are all that a bot must keep: match keys, entropy and nonces are
// functions of them, so that a process that was started anew is the same seat.

import { b32, hmac, label, lp, sha256, u32, utf8 } from "./bytes.js";
import { PrivateKey, pae } from "./signing.js";

/** The tournament's identity, from the exact bytes of the manifest's body. */
export const tournamentId = (manifestBody) => sha256(label("tournament"), manifestBody);

/** What binds a match's chains to one attempt at it. */
export const matchContext = (tournament, match, attempt) =>
  sha256(label("match"), b32(tournament), lp(utf8(match)), u32(attempt));

/** The head before the first record. */
export const GENESIS = Buffer.alloc(32);

/** The head after a record; head_0, after MatchOpen, names the match. */
export const nextHead = (head, type, body) =>
  sha256(label("head"), b32(head), sha256(label("event"), pae(type, body)));

/** The key of one seat in one attempt at one match. */
export const matchKey = (stored, context, seat) =>
  PrivateKey.fromSeed(hmac(b32(stored), label("matchkey"), b32(context), u32(seat)));

/** The nonce of the commitment to what a seat was asked at `head`. */
export const nonce = (stored, head, seat) =>
  hmac(b32(stored), label("nonce"), b32(head), u32(seat));

/** What a seat sends in place of its sealed move. */
export const commitment = (head, seat, publicKey, secret, move) =>
  sha256(
    label("commit"),
    b32(head),
    u32(seat),
    b32(publicKey),
    b32(secret),
    lp(Buffer.from(move, "ascii")),
  );

/**
 * The owner's links v_0 … v_D: v_0 is public, and shuffle k reveals v_k. Whoever knows a
 * link can compute all that come before it, so they are given in ascending order only.
 */
export function chain(stored, context, publicKey, length) {
  const links = [hmac(b32(stored), label("chainsecret"), b32(context))];
  for (let k = length; k > 0; k -= 1) {
    links.push(sha256(label("chain"), b32(context), b32(publicKey), u32(k), links.at(-1)));
  }
  return links.reverse();
}

/** The chain of an entry key for the draws of a tournament: v_r is for round r. */
export function drawChain(key, tournament, rounds) {
  const stored = hmac(key.seed, label("drawsecret"), b32(tournament));
  return chain(stored, tournament, key.public, rounds || 1000);
}
