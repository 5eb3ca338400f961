// Where a server is dialled, and how it proves to be the one that is meant:
// [tls://]HOST:PORT[#sha256=HEX | #ca=FILE]

import { createHash } from "node:crypto";
import fs from "node:fs";
import tls from "node:tls";
import grpc from "@grpc/grpc-js";
import { Lost, NotHere } from "./errors.js";

const ADDRESS = /^(tls:\/\/)?(\[[0-9A-Fa-f:.]+\]|[^:[\]\s/#]+):([0-9]{1,5})(?:#(sha256|ca)=(.+))?$/;

/** { host, port, target, tls, how, what }; throws NotHere for a text that is no address. */
export function parseAddress(text) {
  const found = ADDRESS.exec(text);
  if (!found) throw new NotHere(`${JSON.stringify(text)} is no HOST:PORT and no tls://HOST:PORT`);
  const [, secure, host, port, how, what] = found;
  if (how && !secure) throw new NotHere("who names a certificate dials tls://HOST:PORT");
  return {
    host: host.replace(/[[\]]/g, ""),
    port: Number(port),
    target: `${host}:${port}`,
    tls: Boolean(secure),
    how,
    what,
  };
}

/** What grpc-js is to encrypt with. One certificate that was named is the only one it takes. */
export async function credentials(address) {
  if (!address.tls) return grpc.credentials.createInsecure();
  if (address.how === "ca") return grpc.credentials.createSsl(fs.readFileSync(address.what));
  if (address.how !== "sha256") return grpc.credentials.createSsl();
  const wanted = address.what.replace(/:/g, "").toLowerCase();
  const fits = (der) => createHash("sha256").update(der).digest("hex") === wanted;
  const der = await certificateOf(address);
  if (!fits(der)) throw new NotHere(`the certificate of ${address.target} is not the one you named`);
  // It is its own root, and under whatever name: the digest says already whose it is.
  return grpc.credentials.createSsl(pem(der), null, null, {
    checkServerIdentity: (_host, { raw }) =>
      fits(raw) ? undefined : new Error("the certificate has changed"),
  });
}

/** The certificate that a server shows, in DER; nothing is sent to it. */
function certificateOf({ host, port }) {
  return new Promise((resolve, reject) => {
    const socket = tls.connect({ host, port, rejectUnauthorized: false, ALPNProtocols: ["h2"] });
    socket.once("secureConnect", () => {
      resolve(socket.getPeerCertificate(true).raw);
      socket.destroy();
    });
    socket.once("error", (error) => reject(new Lost(`${host}:${port}: ${error.message}`)));
  });
}

function pem(der) {
  const lines = der.toString("base64").match(/.{1,64}/g);
  return Buffer.from(
    ["-----BEGIN CERTIFICATE-----", ...lines, "-----END CERTIFICATE-----", ""].join("\n"),
  );
}
