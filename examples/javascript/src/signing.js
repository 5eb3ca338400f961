// Ed25519 keys, and the envelope in which everything signed travels.
//
// A signature covers the pre-authentication encoding of type and body. The body is never
// encoded anew: what is hashed, checked and kept is the bytes as they came.

import { createPrivateKey, createPublicKey, sign, verify } from "node:crypto";
import { hex, same, utf8 } from "./bytes.js";
import { Refused } from "./errors.js";
import { decode, encode } from "./messages.js";

// Node takes keys in DER only; for Ed25519 that is a fixed start and the 32 raw bytes.
const PRIVATE_START = hex("302e020100300506032b657004220420");
const PUBLIC_START = hex("302a300506032b6570032100");

// What some readers take for a point of order 1, 2, 4 or 8, with or without the top bit.
// OpenSSL takes most of them, and the format does not.
const SMALL_ORDER = new Set(
  [
    "0000000000000000000000000000000000000000000000000000000000000000",
    "0100000000000000000000000000000000000000000000000000000000000000",
    "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
  ].flatMap((text) => {
    const flipped = hex(text);
    flipped[31] ^= 0x80;
    return [text, flipped.toString("hex")];
  }),
);

/** A private key: `public` is its 32 raw bytes, `seed` the secret ones. */
export class PrivateKey {
  #key;

  constructor(keyObject) {
    if (keyObject.asymmetricKeyType !== "ed25519") throw new Refused("an Ed25519 key is needed");
    this.#key = keyObject;
    const { d, x } = keyObject.export({ format: "jwk" });
    this.seed = Buffer.from(d, "base64url");
    this.public = Buffer.from(x, "base64url");
  }

  static fromSeed(seed) {
    const der = Buffer.concat([PRIVATE_START, seed]);
    return new PrivateKey(createPrivateKey({ key: der, format: "der", type: "pkcs8" }));
  }

  /** From PKCS#8 PEM, as `aboveboard key new` writes it. */
  static fromPem(pem, passphrase) {
    return new PrivateKey(createPrivateKey({ key: pem, format: "pem", passphrase }));
  }

  toPem() {
    return this.#key.export({ format: "pem", type: "pkcs8" });
  }

  sign(data) {
    return sign(null, data, this.#key);
  }
}

/** Whether `signature` over `data` is by the public key of 32 raw bytes. */
export function isSignedBy(publicKey, data, signature) {
  if (publicKey.length !== 32 || signature.length !== 64) return false;
  if (SMALL_ORDER.has(publicKey.toString("hex"))) return false;
  if (SMALL_ORDER.has(signature.toString("hex", 0, 32))) return false;
  const key = createPublicKey({
    key: Buffer.concat([PUBLIC_START, publicKey]),
    format: "der",
    type: "spki",
  });
  return verify(null, data, key, signature);
}

/** The full name of a kind of signed thing. */
export const typeName = (kind) => `aboveboard/${kind}/v1`;

/** The bytes that a signature covers (DSSE, version 1). */
export function pae(type, body) {
  const name = utf8(type);
  return Buffer.concat([utf8(`DSSEv1 ${name.length} `), name, utf8(` ${body.length} `), body]);
}

/** The exact bytes of an envelope: a body of `kind`, signed by `key`. */
export function seal(kind, message, fields, key) {
  const type = typeName(kind);
  const body = encode(message, fields);
  const signature = { key: key.public, value: key.sign(pae(type, body)) };
  return encode("Signed", { type, body, signatures: [signature] });
}

/** An envelope: its `type`, its `body` as it came, its `signatures`, none of them checked. */
export function openEnvelope(bytes) {
  const signed = decode("Signed", bytes);
  if (!/^aboveboard\/[a-z0-9]+(-[a-z0-9]+)*\/v1$/.test(signed.type)) {
    throw new Refused(`an envelope of type ${JSON.stringify(signed.type.slice(0, 80))}`);
  }
  return signed;
}

/** Throws Refused unless the one signature is there and by `key`. */
export function checkSole(signed, key) {
  const [first, ...more] = signed.signatures;
  if (!first || more.length > 0 || !same(first.key, key)) {
    throw new Refused(`${signed.type} is not signed by whom it should be`);
  }
  if (!isSignedBy(key, pae(signed.type, signed.body), first.value)) {
    throw new Refused(`the signature of ${signed.type} does not verify`);
  }
}

/**
 * What an envelope says: the decoded body of `kind`, signed by `key` and nobody else. With a
 * function for `key` that finds the key in the body. Throws Refused.
 */
export function unseal(bytes, kind, message, key) {
  const signed = openEnvelope(bytes);
  if (signed.type !== typeName(kind)) throw new Refused(`${signed.type} in place of a ${kind}`);
  const said = decode(message, signed.body);
  checkSole(signed, typeof key === "function" ? key(said) : key);
  return said;
}
