import { createHash, type Hash, hash } from "node:crypto";

/** How much is hashed at once, in characters: a body may have tens of megabytes, and JSON of all of it would take as much memory again. */
const piece = 65_536;

/** Identifies a request by its operation and the JSON value of its body, whatever the order of properties. */
export function fingerprint(operation: string, body: unknown): string {
  const pieces = new Pieces(operation);
  addValue(pieces, body);
  return pieces.digest();
}

/** A text that is hashed in pieces while it grows. */
class Pieces {
  #text: string;
  #hash: Hash | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  add(text: string): void {
    this.#text += text;
    if (this.#text.length < piece) return;
    this.#hash ??= createHash("sha256");
    this.#hash.update(this.#text);
    this.#text = "";
  }

  digest(): string {
    const encoding = "base64url";
    return this.#hash?.update(this.#text).digest(encoding) ?? hash("sha256", this.#text, encoding);
  }
}

/** Adds a value as JSON with sorted properties. A long text is added as several: no other value has JSON like that. */
function addValue(pieces: Pieces, value: unknown): void {
  if (typeof value === "string") {
    for (let at = 0; at === 0 || at < value.length; at += piece) {
      pieces.add(JSON.stringify(value.length > piece ? value.slice(at, at + piece) : value));
    }
  } else if (typeof value !== "object" || value === null) pieces.add(String(value));
  else if (Array.isArray(value)) {
    pieces.add("[");
    for (const item of value) {
      addValue(pieces, item);
      pieces.add(",");
    }
    pieces.add("]");
  } else {
    const named = value as Record<string, unknown>;
    pieces.add("{");
    for (const name of Object.keys(named).sort()) {
      pieces.add(`${JSON.stringify(name)}:`);
      addValue(pieces, named[name]);
    }
    pieces.add("}");
  }
}
