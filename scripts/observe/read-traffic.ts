import { createReadStream, existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import type { Readable } from "node:stream";
import { gunzipSync } from "node:zlib";
import { strFromU8, unzipSync } from "fflate";
import { decodeText } from "../../lib/files.ts";
import { isObject, jsonOf } from "../../lib/objects.ts";
import { UserError, usageError } from "../../lib/user-error.ts";
import { type Attachment, readHar } from "./read-har.ts";
import { durationOf, headersOf, precisionOf, statusOf, timeOf } from "./recorded-values.ts";
import type { Ignored, TrafficExchange } from "./traffic.ts";

/**
 * The exchanges of all files with recorded traffic, one after the other; without any, lines are read from standard input.
 * @throws UserError with exit code 2 that names the file that cannot be read
 */
export async function* readTraffic({
  har = [],
  ndjson = [],
}: Partial<Record<"har" | "ndjson", readonly string[]>>): AsyncGenerator<TrafficExchange | Ignored> {
  for (const file of har)
    yield* fromFile(file, async function* () {
      const { text, attachment } = await openArchive(file);
      yield* readHar(text, file, attachment);
    });
  for (const file of ndjson) yield* fromFile(file, () => readNdjson(open(file), file));
  if (har.length + ndjson.length === 0) yield* readNdjson(open("-"), "standard input");
}

async function* fromFile<One>(file: string, read: () => AsyncGenerator<One>): AsyncGenerator<One> {
  if (file !== "-" && !existsSync(file))
    throw usageError(`${file} does not exist`, "Give a file with recorded traffic.");
  try {
    yield* read();
  } catch (cause) {
    if (cause instanceof UserError) throw cause;
    throw usageError(
      `${file} cannot be read${cause instanceof Error ? `: ${cause.message}` : ""}`,
      "--har reads HTTP archives (HAR 1.2) of up to 512 MiB, --ndjson one JSON object per line.",
      cause,
    );
  }
}

/** The most bytes that compressed archives may have: the longest text. */
const most = 512 * 1024 * 1024;

/**
 * The text of an HTTP archive, which may be compressed (`.har.gz`), or in a ZIP archive with its bodies (`.har.zip` of Playwright).
 * @throws UserError with exit code 2 if a ZIP archive has none of a usual size
 */
export async function openArchive(file: string): Promise<{ text: string; attachment?: Attachment }> {
  const bytes = await readFile(file);
  const start = bytes.toString("latin1", 0, 2);
  if (start === "\u001f\u008b") return { text: gunzipSync(bytes, { maxOutputLength: most }).toString() };
  if (start !== "PK") return { text: decodeText(bytes) };
  let size = 0;
  const filter = ({ originalSize }: { originalSize: number }): boolean => {
    size += originalSize;
    return size <= most;
  };
  const parts = new Map(Object.entries(unzipSync(bytes, { filter })));
  const attachment: Attachment = (name) => {
    const part = parts.get(name);
    return part && strFromU8(part);
  };
  const text = attachment([...parts.keys()].find((name) => name.endsWith(".har")) ?? "");
  if (text !== undefined) return { text, attachment };
  throw usageError(`${file} has no HTTP archive`, "It needs a .har file of up to 512 MiB.");
}

const open = (file: string): Readable =>
  file === "-" ? process.stdin.setEncoding("utf8") : createReadStream(file, "utf8");

/**
 * The exchanges of a file with one JSON object per line, as `traffic-line.schema.json` describes it. In place of any other line, a reason that
 * names the first of them, without its content: a record may end in the middle of a line.
 */
export async function* readNdjson(chunks: AsyncIterable<string>, name: string) {
  let number = 0;
  let invalid: Ignored | undefined;
  for await (const line of linesIn(chunks, name)) {
    number += 1;
    // Some editors and shells write a byte order mark.
    const text = number === 1 ? line.replace(/^\uFEFF/, "") : line;
    if (text.trim() === "") continue;
    const found = exchangeOf(text);
    if (found === undefined)
      invalid ??= `lines that traffic-line.schema.json does not allow, such as line ${number} of ${name}`;
    yield found ?? (invalid as Ignored);
  }
}

function exchangeOf(line: string): TrafficExchange | undefined {
  // A body in it can be nested in any way.
  const value = jsonOf(line, Number.POSITIVE_INFINITY);
  if (!isObject(value)) return undefined;
  const { method, url, status, startedAt, milliseconds } = value;
  if (typeof method !== "string" || typeof url !== "string" || typeof status !== "number") return undefined;
  const [requestBody, responseBody] = [value.requestBody, value.responseBody].map(bodyOf);
  const isCut = value.isCut === true || requestBody === unreadable || responseBody === unreadable;
  const at = timeOf(startedAt);
  return {
    startedAt: at,
    milliseconds: durationOf(milliseconds),
    precision: precisionOf(at) + (Number.isInteger(milliseconds) ? 1 : 0),
    method: method.toUpperCase(),
    url,
    requestHeaders: headersOf(value.requestHeaders),
    requestBody,
    status: statusOf(status),
    responseHeaders: headersOf(value.responseHeaders),
    responseBody: responseBody ?? "",
    ...(isCut && { isCut }),
  };
}

/** Stands for a body that is nested in too many levels. */
const unreadable = "...";

/** A body is a text, or the JSON value that it is. */
function bodyOf(value: unknown): string | undefined {
  if (value === undefined || value === null || typeof value === "string") return value ?? undefined;
  try {
    return JSON.stringify(value);
  } catch {
    return unreadable;
  }
}

const mebi = 1024 * 1024;
/** The longest line that is read, in characters: it is kept in memory. */
const longest = 64 * mebi;

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
