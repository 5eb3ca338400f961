// Bytes as docs/format.md writes them: labels, big-endian numbers, hashes.

import { createHash, createHmac } from "node:crypto";

/** Bytes from text, UTF-8. */
export const utf8 = (text) => Buffer.from(text, "utf8");

/** Bytes from hexadecimal digits. */
export const hex = (digits) => Buffer.from(digits, "hex");

/** T(name): the label that starts nearly all that is hashed. */
export const label = (name) => utf8(`aboveboard/${name}/v1\0`);

/** A number in four bytes, big-endian. */
export function u32(number) {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(number);
  return bytes;
}

/** Length in four bytes, then the bytes themselves. */
export const lp = (bytes) => Buffer.concat([u32(bytes.length), bytes]);

/** Exactly 32 bytes; hashes, keys, links and heads all are. */
export function b32(bytes) {
  if (bytes.length !== 32) throw new RangeError(`32 bytes are needed, not ${bytes.length}`);
  return bytes;
}

/** SHA-256 over the parts, one after the other. */
export function sha256(...parts) {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest();
}

/** HMAC-SHA-256 over the parts, one after the other. */
export function hmac(key, ...parts) {
  const mac = createHmac("sha256", key);
  for (const part of parts) mac.update(part);
  return mac.digest();
}

/** Whether two buffers hold the same bytes. */
export const same = (a, b) => Buffer.compare(a, b) === 0;
