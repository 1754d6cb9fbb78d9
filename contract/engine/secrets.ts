import type { Settings } from "./settings.ts";

/** What replaces a secret. */
export const redacted = "***";
/** A shorter key could be part of any word: it is redacted after `Bearer` only. */
const shortest = 8;

/**
 * Redacts API keys in a text, in any encoding (JSON, JSON within JSON, URL, HTML, base64) and any case. The start of a key is
 * redacted too if the text is cut after it.
 */
export function redactor(keys: readonly string[]): (text: string) => string {
  const own = [...new Set(keys)].filter((key) => key !== "");
  const forms = [...new Set(own.flatMap(formsOf))];
  const long = forms.filter((form) => form.length >= shortest);
  const starts = [...new Set(long.map((form) => form.slice(0, shortest)))];
  const lowerStarts = starts.map((start) => start.toLowerCase());
  const hasOthers = own.some((key) => key.length < shortest || /[^ -~]/.test(key));
  // Almost no text has one: searching for it costs much less than the patterns.
  const mayHave = (text: string): boolean => {
    const lower = text.toLowerCase();
    if (hasOthers || lowerStarts.some((start) => lower.includes(start))) return true;
    const plain = /[\\%&]/.test(lower) ? unescaped(lower) : "";
    return lowerStarts.some((start) => plain.includes(start));
  };
  let patterns: RegExp[] | undefined;
  return (text) => {
    if (own.length === 0 || !mayHave(text)) return text;
    patterns ??= [
      patternOf(long, forms, literal),
      patternOf(
        own.filter(({ length }) => length >= shortest),
        own,
        escapable,
      ),
    ];
    const whole = patterns.reduce((left, pattern) => left.replace(pattern, redacted), text);
    return starts.some((start) => whole.includes(start)) ? long.reduce(withoutStart, whole) : whole;
  };
}

const escapes =
  /\\+u00([\da-f]{2})|%(?:25){0,3}([\da-f]{2})|&(?:amp;){0,3}(?:#x0{0,6}([\da-f]{2});|#0{0,6}(\d{2,3});|(\w+);)|\\+/g;

/** A text in lower case without escapes of ASCII characters. */
const unescaped = (text: string): string =>
  text.replace(escapes, (_, json?: string, url?: string, hex?: string, decimal?: string, name?: string) => {
    const code = json ?? url ?? hex;
    if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16)).toLowerCase();
    if (decimal !== undefined) return String.fromCharCode(Number(decimal)).toLowerCase();
    return name === undefined ? "" : ([...htmlNames].find(([, one]) => one === name)?.[0] ?? "");
  });

/** One pattern for all keys, since reports redact everything that was sent and received. Short keys are redacted after `Bearer` only. */
function patternOf(long: string[], all: string[], source: (text: string) => string): RegExp {
  const parts = [...(long.length === 0 ? [] : [anyOf(long, source)]), `(?<=Bearer )${anyOf(all, source)}`];
  return new RegExp(parts.join("|"), "gi");
}

const literal = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");

/** A text of which each character may be escaped, as in JSON (within JSON), a URL or HTML. Repetitions are bounded, so that no text takes long. */
const escapable = (text: string): string =>
  [...text]
    .map((character) => {
      const code = character.codePointAt(0) ?? 0;
      const hex = code.toString(16);
      const named = htmlNames.get(character);
      const units = Array.from(
        character,
        (_, at) => `u${character.charCodeAt(at).toString(16).padStart(4, "0")}`,
      );
      const bytes = [...Buffer.from(character)].map(
        (byte) => `%(?:25){0,3}${byte.toString(16).padStart(2, "0")}`,
      );
      const html = [`#0{0,6}${code};`, `#x0{0,6}${hex};`, ...(named === undefined ? [] : [`${named};`])];
      return `(?:\\\\{0,8}(?:${literal(character)}|${units.join("\\\\{1,8}")})|${bytes.join("")}|&(?:amp;){0,3}(?:${html.join("|")}))`;
    })
    .join("");

const htmlNames = new Map([
  ["&", "amp"],
  ["<", "lt"],
  [">", "gt"],
  ['"', "quot"],
  ["'", "apos"],
]);

function formsOf(key: string): string[] {
  // In base64, the characters depend on the offset of the key.
  return [key, ...[0, 1, 2].flatMap((before) => base64(key, before))];
}

/** The base64 characters of the key alone, after so many bytes. */
function base64(key: string, before: number): string[] {
  const bytes = Buffer.from("\0".repeat(before) + key);
  const whole = Math.floor((bytes.length * 8) / 6);
  const letters = bytes.toString("base64").slice(Math.ceil((before * 8) / 6), whole);
  const safe = letters.replaceAll("+", "-").replaceAll("/", "_");
  return letters.length < shortest ? [] : [letters, safe];
}

/** Any of the texts, the longest first: a key may be a prefix of another. */
const anyOf = (texts: string[], source: (text: string) => string): string =>
  `(?:${[...texts]
    .sort((one, other) => other.length - one.length)
    .map(source)
    .join("|")})`;

/** Redacts the start of a key right before the dots, or the end, of a cut text. */
function withoutStart(text: string, form: string): string {
  const start = form.slice(0, shortest);
  let rest = text;
  for (let at = rest.indexOf(start); at >= 0; at = rest.indexOf(start, at + 1)) {
    let length = shortest;
    while (length < form.length && rest[at + length] === form[length]) length += 1;
    const after = rest.slice(at + length, at + length + 3);
    if (after === "" || after === "...") rest = rest.slice(0, at) + redacted + rest.slice(at + length);
  }
  return rest;
}

export const secretsOf = ({ keys, secrets = [] }: Pick<Settings, "keys" | "secrets">): string[] => [
  ...Object.values(keys),
  ...secrets,
];
