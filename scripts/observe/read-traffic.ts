import { createReadStream, existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import type { Readable } from "node:stream";
import { isObject, jsonOf } from "../../lib/objects.ts";
import { UserError, usageError } from "../../lib/user-error.ts";
import { readHar } from "./read-har.ts";
import type { TrafficExchange } from "./traffic.ts";

/**
 * The exchanges of all files with recorded traffic, one after the other; without any, lines are read from standard input.
 * @throws UserError with exit code 2 that names the file that cannot be read
 */
export async function* readTraffic({
  har = [],
  ndjson = [],
}: Partial<Record<"har" | "ndjson", readonly string[]>>): AsyncGenerator<TrafficExchange> {
  for (const file of har)
    yield* fromFile(file, async function* () {
      yield* readHar(await readFile(file, "utf8"), file);
    });
  for (const file of ndjson) yield* fromFile(file, () => readNdjson(open(file), file));
  if (har.length + ndjson.length === 0) yield* readNdjson(open("-"), "standard input");
}

async function* fromFile(
  file: string,
  read: () => AsyncGenerator<TrafficExchange>,
): AsyncGenerator<TrafficExchange> {
  if (file !== "-" && !existsSync(file))
    throw usageError(`${file} does not exist`, "Give a file with recorded traffic.");
  try {
    yield* read();
  } catch (cause) {
    if (cause instanceof UserError) throw cause;
    throw usageError(
      `${file} cannot be read`,
      "--har reads HTTP archives (HAR 1.2) of up to 512 MiB, --ndjson one JSON object per line.",
      cause,
    );
  }
}

function open(file: string): Readable {
  return file === "-" ? process.stdin.setEncoding("utf8") : createReadStream(file, "utf8");
}

/**
 * The exchanges of a file with one JSON object per line, as `traffic-line.schema.json` describes it.
 * @throws UserError with exit code 2 that names the line, without its content
 */
export async function* readNdjson(
  chunks: AsyncIterable<string>,
  name: string,
): AsyncGenerator<TrafficExchange> {
  let number = 0;
  for await (const line of linesIn(chunks, name)) {
    number += 1;
    // Some editors and shells write a byte order mark.
    const text = number === 1 ? line.replace(/^\uFEFF/, "") : line;
    if (text.trim() === "") continue;
    const found = exchangeOf(text);
    if (found === undefined)
      throw usageError(
        `line ${number} of ${name} is invalid`,
        "Each line must be a JSON object with at least method, url and status; see `email-api-contract/traffic-line.schema.json`.",
      );
    yield found;
  }
}

function exchangeOf(line: string): TrafficExchange | undefined {
  const value = jsonOf(line);
  if (!isObject(value)) return undefined;
  const { method, url, status, startedAt, milliseconds, requestBody, responseBody, isCut } = value;
  if (typeof method !== "string" || typeof url !== "string" || typeof status !== "number") return undefined;
  return {
    startedAt: timeOf(startedAt),
    milliseconds: typeof milliseconds === "number" ? milliseconds : undefined,
    method,
    url,
    requestHeaders: headersOf(value.requestHeaders),
    requestBody: textOf(requestBody),
    status,
    responseHeaders: headersOf(value.responseHeaders),
    responseBody: textOf(responseBody) ?? "",
    ...(isCut === true && { isCut: true }),
  };
}

function timeOf(value: unknown): number | undefined {
  const at = typeof value === "number" ? value : Date.parse(String(value));
  return Number.isFinite(at) ? at : undefined;
}

/** A body is a text, or the JSON value that it is. */
const textOf = (value: unknown): string | undefined =>
  value === undefined || value === null || typeof value === "string"
    ? (value ?? undefined)
    : JSON.stringify(value);

const headersOf = (value: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries(isObject(value) ? value : {}).map(([name, one]) => [
      name.toLowerCase(),
      Array.isArray(one) ? one.join(", ") : String(one),
    ]),
  );

const mebi = 1024 * 1024;
/** The longest line that is read, in characters: it is kept in memory. */
const longest = 64 * mebi;

/**
 * The lines of a text. Only a line feed ends one: JSON texts may contain the other characters that end lines elsewhere.
 * @throws UserError with exit code 2 if one is too long
 */
async function* linesIn(chunks: AsyncIterable<string>, file: string): AsyncGenerator<string> {
  let parts: string[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    const [end = "", ...next] = chunk.split("\n");
    parts.push(end);
    size += end.length;
    if (size > longest)
      throw usageError(
        `${file} has a line of more than ${longest / mebi} Mi characters`,
        "Remove it, or record the traffic without its body.",
      );
    for (const start of next) {
      yield parts.join("");
      parts = [start];
      size = start.length;
    }
  }
  yield parts.join("");
}
