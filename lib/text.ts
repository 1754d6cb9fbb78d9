import { attempted } from "./objects.ts";

/** A number with its noun: `count(1, "request")` is `1 request`, `count(1200, "request")` is `1,200 requests`. */
export const count = (number: number, singular: string, plural = `${singular}s`): string =>
  `${number.toLocaleString("en")} ${number === 1 ? singular : plural}`;

export const capitalized = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

export const firstSentence = (text: string): string => text.split(/(?<=\.)\s/)[0] ?? "";

/** The text with invisible characters (control and format characters, separators) as codes; tabs and line breaks stay. */
export const visible = (text: string): string =>
  text
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) =>
      character === "\n" || character === "\t" ? character : `\\u{${character.codePointAt(0)?.toString(16)}}`,
    )
    .toWellFormed();

/** The first characters of a text, at most so many, without half of a surrogate pair. */
export const startOf = (text: string, length: number): string =>
  text.slice(0, length).replace(/[\uD800-\uDBFF]$/, "");

/** JSON with the characters of a pattern as codes: `\u00e9`. */
export const withCodes = (json: string, pattern: RegExp): string =>
  json.replaceAll(pattern, (character) =>
    character.replaceAll(/./gs, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`),
  );

/** A table in Markdown. Line breaks in a cell become spaces. */
export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("\n", " ");
  const line = (cells: readonly string[]): string => `| ${cells.map(cell).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

/** The first line of an error's message, as a part of a sentence: without the colon before the lines that are left out. */
export const firstLine = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split("\n")[0]?.replace(/[:.]\s*$/, "") ?? "";

/** A text without percent-encoding; undefined if it is encoded wrongly. */
export const decoded = (text: string): string | undefined => attempted(() => decodeURIComponent(text));

/** The segments of a JSON Pointer (RFC 6901): `/paths/~1emails` gives `["paths", "/emails"]`. */
export const segmentsOf = (pointer: string): string[] =>
  pointer
    .split("/")
    .slice(1)
    .map((segment) => segment.replaceAll("~1", "/").replaceAll("~0", "~"));

/** The number of line feeds and carriage returns in a text. Allocates nothing, for texts of tens of megabytes. */
export function lineBreaks(text: string): number {
  if (!text.includes("\n") && !text.includes("\r")) return 0;
  let count = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 10 || code === 13) count += 1;
  }
  return count;
}

/** The columns of a line of the terminal. */
const lineWidth = 80;

/** Stands for a space at which no line is broken. */
const unbroken = "\u00a0";

/**
 * Breaks text into lines of at most 80 columns, between words if possible. All lines but the first start with `hanging`.
 * A command in backticks stays on one line, so that it can be copied.
 * A longer word is cut, or kept whole on a line of its own with `wholeWords`, so that it can be copied.
 */
export function wrapped(text: string, hanging = "", { wholeWords = false } = {}): string {
  const lines: string[] = [];
  // Cutting a word is better than a line that is almost empty.
  const shortest = hanging.length + (wholeWords ? 0 : 10);
  // Commands, not long values.
  let rest = text.replaceAll(/`[^`\n]*`/g, (code) =>
    code.length > 60 ? code : code.replaceAll(" ", unbroken),
  );
  while (rest.length > lineWidth) {
    const before = rest.lastIndexOf(" ", lineWidth);
    const after = wholeWords ? rest.indexOf(" ", lineWidth) : lineWidth;
    const cut = before > shortest ? before : after;
    if (cut < 0) break;
    lines.push(startOf(rest, cut));
    rest = hanging + rest.slice(lines.at(-1)?.length).trimStart();
  }
  return [...lines, rest].join("\n").replaceAll(unbroken, " ");
}

const durationPattern =
  /^P(?=.)(?:(?<weeks>\d+)W)?(?:(?<days>\d+)D)?(?:T(?=.)(?:(?<hours>\d+)H)?(?:(?<minutes>\d+)M)?(?:(?<seconds>\d+(?:\.\d+)?)S)?)?$/;

/**
 * Parses an ISO 8601 duration such as `P3D`, `PT1H30M` or `P2W`. Months and years are not supported: they have no fixed length.
 * @returns milliseconds; undefined for any other text
 */
export function parseDuration(text: string): number | undefined {
  const groups = durationPattern.exec(text)?.groups;
  if (groups === undefined) return undefined;
  const { weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0 } = groups;
  const wholeHours = (Number(weeks) * 7 + Number(days)) * 24 + Number(hours);
  return Math.round(((wholeHours * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000);
}

/**
 * The URL of an error on a reference site, which has an anchor for each row of the error table; undefined for an error without a row.
 * @param rows the error table, by `<status>.<type>`, or the status alone
 */
export function errorUrl(
  site: string,
  rows: Readonly<Record<string, unknown>>,
  { status, type }: { status: number; type: string | null | undefined },
): string | undefined {
  const id = [`${status}.${type}`, String(status)].find((one) => Object.hasOwn(rows, one));
  return id && `${site.replace(/\/+$/, "")}/errors/#${id.replaceAll(".", "-")}`;
}

/** Why a text is not an http or https URL of a page or a server, to be read after its name; undefined if it is one. */
export function urlProblem(text: string): string | undefined {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) return "must be an http or https URL";
  if (url.username !== "" || url.password !== "") return "must not contain a user or a password";
  return /[?#]/.test(text) ? "must not have a query or a fragment" : undefined;
}

/**
 * A workflow command of GitHub Actions that shows a text beside a run or a file: one line, whatever the texts contain. Lines and columns
 * start at 1.
 */
export function githubAnnotation(
  level: "error" | "warning" | "notice",
  { title, ...place }: { title: string; file?: string; line?: number; col?: number },
  text: string,
): string {
  const properties = Object.entries({ ...place, title }).map(
    ([name, value]) => `${name}=${escapedData(String(value)).replaceAll(":", "%3A").replaceAll(",", "%2C")}`,
  );
  return `::${level} ${properties.join(",")}::${escapedData(text)}`;
}

const escapedData = (text: string): string =>
  visible(text).replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
