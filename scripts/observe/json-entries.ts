import { UserError } from "../../lib/user-error.ts";
import { mustBeReadable } from "./exchange-size.ts";

/**
 * The objects of the array `entries` of `log`, one by one as text, so that a large HTTP archive is never in memory as a whole.
 * @throws UserError with exit code 2 if there is no such array, or if the text ends before the archive does
 */
export async function* entriesIn(chunks: AsyncIterable<string>, file: string): AsyncGenerator<string> {
  const scanner = new Scanner(file);
  for await (const chunk of chunks) yield* scanner.scan(chunk);
  const fail = (message: string, hint: string): UserError => new UserError(message, { hint, exitCode: 2 });
  if (!scanner.hasEntries)
    throw fail(
      `${file} is not an HTTP archive: it has no log.entries`,
      "Give a file in the format HAR 1.2, in UTF-8; --ndjson reads one JSON object per line.",
    );
  if (scanner.isOpen)
    throw fail(`${file} ends within the archive`, "Write it again: its program may have been interrupted.");
}

const code = (character: string): number => character.charCodeAt(0);
const [quote, backslash, open, close, openList, closeList, colon] = [...'"\\{}[]:'].map(code) as [
  number,
  number,
  number,
  number,
  number,
  number,
  number,
];

/** Follows the nesting of JSON without parsing it. */
class Scanner {
  #depth = 0;
  #inText = false;
  #isEscaped = false;
  /** The last text outside the entries: the name of what comes next. */
  #name = "";
  #isName = false;
  #entriesAt = -1;
  #entry: string[] | undefined;
  #size = 0;
  readonly #file: string;
  hasEntries = false;

  constructor(file: string) {
    this.#file = file;
  }

  /** Whether something has begun that has not ended. */
  get isOpen(): boolean {
    return this.#depth !== 0 || this.#inText;
  }

  *scan(chunk: string): Generator<string> {
    let from = 0;
    for (let at = 0; at < chunk.length; at += 1) {
      const found = chunk.charCodeAt(at);
      if (this.#inText) {
        this.#inside(found);
        continue;
      }
      if (found === quote) this.#begin();
      else if (found === open || found === openList) {
        if (found === openList && this.#depth === 2 && this.#name === "entries") {
          this.#entriesAt = 3;
          this.hasEntries = true;
        }
        this.#depth += 1;
        if (found === open && this.#depth === this.#entriesAt + 1 && this.#entriesAt === 3) {
          this.#entry = [];
          this.#size = 0;
          from = at;
        }
      } else if (found === close || found === closeList) {
        this.#depth -= 1;
        if (this.#depth < this.#entriesAt) this.#entriesAt = -1;
        if (this.#entry !== undefined && this.#depth === this.#entriesAt) {
          const text = this.#entry.join("") + chunk.slice(from, at + 1);
          this.#entry = undefined;
          yield text;
        }
      } else if (found === colon) this.#isName = false;
    }
    this.#keep(chunk.slice(from));
  }

  #keep(text: string): void {
    if (this.#entry === undefined) return;
    this.#size += text.length;
    mustBeReadable(this.#size, this.#file);
    this.#entry.push(text);
  }

  #begin(): void {
    this.#inText = true;
    this.#isName = this.#entry === undefined;
    if (this.#isName) this.#name = "";
  }

  #inside(found: number): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (found === backslash) this.#isEscaped = true;
    else if (found === quote) this.#inText = false;
    else if (this.#isName && this.#name.length < 16) this.#name += String.fromCharCode(found);
  }
}
