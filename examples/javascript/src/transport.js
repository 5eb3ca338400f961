// Streams of frames over gRPC.
//
// The method takes and gives bytes here, so that grpc-js needs no generated code and what
// is not the protocol is found by this program. A frame is one message with a oneof
// called `frame`.

import grpc from "@grpc/grpc-js";
import { credentials, parseAddress } from "./address.js";
import { Lost } from "./errors.js";
import { decode, encode } from "./messages.js";

const PING_SECONDS = 20;
const SILENT_PINGS = 3;

const OPTIONS = {
  "grpc.keepalive_time_ms": 20_000,
  "grpc.keepalive_timeout_ms": 20_000,
  "grpc.max_receive_message_length": 64 * 1024 * 1024,
  "grpc.enable_http_proxy": 0,
  "grpc.initial_reconnect_backoff_ms": 100,
  "grpc.max_reconnect_backoff_ms": 2_000,
};

/** The connections of one process: one for each address, shared by its streams. */
export class Dialer {
  #clients = new Map(); // address ► promise of a client

  /** A stream of `method`, whose frames are `up` and `down` messages. */
  async open(address, method, up, down) {
    if (!this.#clients.has(address)) this.#clients.set(address, connect(address));
    let client;
    try {
      client = await this.#clients.get(address);
    } catch (error) {
      this.#clients.delete(address); // so that the next attempt looks anew
      throw error;
    }
    const bytes = (data) => data;
    return new Frames(client.makeBidiStreamRequest(method, bytes, bytes), up, down);
  }

  async close() {
    for (const client of this.#clients.values()) (await client).close();
  }
}

async function connect(text) {
  const address = parseAddress(text);
  // Whose certificate was named by its digest need not have it under the name that is dialled.
  const name = address.how === "sha256" ? { "grpc.ssl_target_name_override": "aboveboard" } : {};
  return new grpc.Client(address.target, await credentials(address), { ...OPTIONS, ...name });
}

/**
 * One stream: `send` a frame's fields, and read the frames in a `for await` loop. The loop
 * ends where the other side ends the stream, and throws Lost where the connection breaks.
 * Pings are answered in passing.
 */
class Frames {
  #call;
  #up;
  #down;
  #queue = [];
  #wake = () => {};
  #ended = null; // an Error, or true
  #silence;
  #pings = 0;

  constructor(call, up, down) {
    [this.#call, this.#up, this.#down] = [call, up, down];
    call.on("data", (data) => {
      this.#pings = 0;
      this.#queue.push(data);
      this.#wake();
    });
    call.on("end", () => this.#end(true));
    // After cancel() and after a status other than OK; what it says is for people.
    call.on("error", (error) => this.#end(new Lost(error.details || error.message)));
    this.#silence = setInterval(() => this.#look(), PING_SECONDS * 1000);
  }

  send(frame) {
    if (this.#ended === null) this.#call.write(encode(this.#up, frame));
  }

  close() {
    this.#end(true);
    this.#call.end();
    // Whoever does not end its side is left alone after a second.
    setTimeout(() => this.#call.cancel(), 1000).unref();
  }

  /** End the stream at once, as a network would. */
  abort() {
    this.fail(new Lost("cut"));
  }

  /** End the stream at once; the loop over its frames throws `error`. */
  fail(error) {
    this.#end(error);
    this.#call.cancel();
  }

  async *[Symbol.asyncIterator]() {
    while (true) {
      while (this.#queue.length > 0) {
        const frame = decode(this.#down, this.#queue.shift());
        if (frame.frame === "ping") this.send({ pong: frame.ping });
        else if (frame.frame !== "pong") yield frame;
      }
      if (this.#ended === true) return;
      if (this.#ended !== null) throw this.#ended;
      await new Promise((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  #look() {
    this.#pings += 1;
    if (this.#pings <= SILENT_PINGS) {
      this.send({ ping: { number: this.#pings } });
      return;
    }
    this.fail(new Lost(`silence for ${PING_SECONDS * SILENT_PINGS} s`));
  }

  #end(how) {
    this.#ended ??= how;
    clearInterval(this.#silence);
    this.#wake();
  }
}
