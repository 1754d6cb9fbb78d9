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
  const forms = [...new Set(keys.filter((key) => key !== "").flatMap(formsOf))];
  const long = forms.filter((form) => form.length >= shortest);
  const patterns = [
    ...(long.length === 0 ? [] : [anyOf(long)]),
    ...(forms.length === 0 ? [] : [`(?<=Bearer )${anyOf(forms)}`]),
  ];
  if (patterns.length === 0) return (text) => text;
  // One pass for all keys: reports redact everything that was sent and received.
  const pattern = new RegExp(patterns.join("|"), "gi");
  const starts = [...new Set(long.map((form) => form.slice(0, shortest)))];
  return (text) => {
    const whole = text.replace(pattern, redacted);
    return starts.some((start) => whole.includes(start)) ? long.reduce(withoutStart, whole) : whole;
  };
}

function formsOf(key: string): string[] {
  const json = JSON.stringify(key).slice(1, -1);
  const url = encodeURIComponent(key);
  return [
    key,
    json,
    JSON.stringify(json).slice(1, -1),
    url,
    url.replaceAll(/%../g, (code) => code.toLowerCase()),
    key.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;"),
    // In base64, the characters depend on the offset of the key.
    ...[0, 1, 2].flatMap((before) => base64(key, before)),
  ];
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
const anyOf = (texts: string[]): string =>
  `(?:${[...texts]
    .sort((one, other) => other.length - one.length)
    .map((text) => text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"))
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
