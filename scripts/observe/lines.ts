import { mustBeReadable } from "./exchange-size.ts";

/**
 * The lines of a text. Only a line feed ends one: JSON texts may contain the other characters that end lines elsewhere.
 * @throws UserError with exit code 2 if one is too long
 */
export async function* linesIn(chunks: AsyncIterable<string>, file: string): AsyncGenerator<string> {
  let parts: string[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    const [end = "", ...next] = chunk.split("\n");
    parts.push(end);
    size += end.length;
    mustBeReadable(size, file);
    for (const start of next) {
      yield parts.join("");
      parts = [start];
      size = start.length;
    }
  }
  yield parts.join("");
}
