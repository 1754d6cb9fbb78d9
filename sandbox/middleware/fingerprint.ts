import { createHash, type Hash, hash } from "node:crypto";

/** How much is hashed at once, in characters: a body may have tens of megabytes, and a copy of all of it would take as much memory again. */
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
    if (this.#text.length >= piece) this.#update();
  }

  /** Adds a long text as it is, after its length. JSON of it would take longer than its hash; UTF-8 has no unpaired surrogates. */
  addLong(text: string): void {
    this.#text += `#${text.length}:`;
    let rest = this.#update();
    for (let at = 0; at < text.length; at += piece) rest = rest.update(text.slice(at, at + piece), "utf16le");
  }

  digest(): string {
    const encoding = "base64url";
    return this.#hash?.update(this.#text).digest(encoding) ?? hash("sha256", this.#text, encoding);
  }

  #update(): Hash {
    this.#hash ??= createHash("sha256");
    this.#hash.update(this.#text);
    this.#text = "";
    return this.#hash;
  }
}

/** Adds a value as JSON with sorted properties, but for long texts. */
function addValue(pieces: Pieces, value: unknown): void {
  if (typeof value === "string") {
    if (value.length > piece) pieces.addLong(value);
    else pieces.add(JSON.stringify(value));
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
