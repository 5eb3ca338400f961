// The messages of the three .proto files, in their one allowed encoding.
//
// Whatever is signed must be *canonical* (docs/format.md, section 3): fields in ascending
// order, shortest varints, packed lists, and no field that holds its default. protobufjs
// does all of that but the last, for it writes a field that was set to 0 or "". So defaults
// are taken out before encoding. To know whether bytes are canonical it is enough to encode
// again what was decoded.

import { fileURLToPath } from "node:url";
import protobuf from "protobufjs";
import { Refused } from "./errors.js";

const PROTOS = fileURLToPath(new URL("../../../protos/", import.meta.url));

const root = new protobuf.Root();
root.resolvePath = (_origin, target) => PROTOS + target;
root.loadSync(
  ["signed", "bodies", "service"].map((name) => `aboveboard_protos/v1/${name}.proto`),
  { keepCase: true },
);
root.resolveAll();

const typeOf = (name) => root.lookupType(`aboveboard.v1.${name}`);

/** The numbers of an enum by their names, such as `values("RefusalCode")`. */
export const values = (name) => root.lookupEnum(`aboveboard.v1.${name}`).values;

/** A value of an enum as people read it, such as "time-out". */
export function nameOf(name, value) {
  const found = Object.entries(values(name)).find(([, number]) => number === value);
  const prefix = name.replace(/(?<!^)[A-Z]/g, "_$&").toUpperCase();
  return found ? found[0].slice(prefix.length + 1).toLowerCase().replaceAll("_", "-") : `${value}`;
}

/** The canonical encoding of a message, from an object with its fields by name. */
export function encode(name, fields) {
  const type = typeOf(name);
  return finish(type, type.fromObject(fields));
}

/**
 * The message in these bytes as an object, every field there: 0, "", [] or null for what was
 * left out. Of a oneof, `frame` or `payload` names the field that is set. Throws Refused for
 * bytes that are not canonical.
 *
 * `longs` is Number, which is exact up to 2^53 and so for all times and sizes of a
 * tournament, or String.
 */
export function decode(name, bytes, longs = Number) {
  const type = typeOf(name);
  let message;
  try {
    message = type.decode(bytes);
  } catch (error) {
    throw new Refused(`no ${name}: ${error.message}`);
  }
  if (Buffer.compare(finish(type, message), bytes) !== 0) {
    throw new Refused(`not the one encoding of a ${name}`);
  }
  return type.toObject(message, { longs, defaults: true, oneofs: true });
}

const finish = (type, message) => Buffer.from(type.encode(withoutDefaults(type, message)).finish());

function withoutDefaults(type, message) {
  const kept = {};
  for (const field of type.fieldsArray) {
    if (!Object.hasOwn(message, field.name) || message[field.name] == null) continue;
    const value = message[field.name];
    if (field.repeated) {
      if (value.length > 0) kept[field.name] = value.map((item) => plain(field, item));
    } else if (field.partOf || !isDefault(field, value)) {
      kept[field.name] = plain(field, value);
    }
  }
  for (const { oneof } of type.oneofsArray) {
    if (oneof.filter((name) => name in kept).length > 1) throw new Refused("two of a oneof");
  }
  return kept;
}

function plain(field, value) {
  const type = field.resolvedType;
  if (type instanceof protobuf.Type) return withoutDefaults(type, value);
  if (type instanceof protobuf.Enum && !(value in type.valuesById)) {
    throw new Refused(`${type.name} has no value ${value}`);
  }
  return value;
}

function isDefault(field, value) {
  if (field.resolvedType instanceof protobuf.Type) return false; // there, even if empty
  if (typeof value === "object") return "isZero" in value ? value.isZero() : value.length === 0;
  return !value;
}
