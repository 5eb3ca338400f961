import fs from "node:fs";

/** The vectors of a name, see tests/vectors/README.md. */
export const vectors = (name) =>
  JSON.parse(fs.readFileSync(new URL(`../../../tests/vectors/${name}.json`, import.meta.url)));
