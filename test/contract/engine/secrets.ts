import type { Settings } from "./settings.ts";

/** What replaces a secret. */
export const redacted = "***";
/** A key of a few letters could be part of any word; only longer ones are struck out wherever they stand. */
const shortest = 8;

/**
 * Takes the API keys out of a text, in whichever of the forms they stand there: plain, in JSON, in JSON within JSON, in an
 * address, in HTML, in base64, in small letters or capitals. The beginning of a key is taken out as well where the text is cut
 * after it.
 */
export function redactor(keys: readonly string[]): (text: string) => string {
  const forms = [...new Set(keys.filter((key) => key !== "").flatMap(formsOf))];
  const long = forms.filter((form) => form.length >= shortest);
  const patterns = [
    ...(long.length === 0 ? [] : [anyOf(long)]),
    ...(forms.length === 0 ? [] : [`(?<=Bearer )${anyOf(forms)}`]),
  ];
  if (patterns.length === 0) return (text) => text;
  // One look through the text for all keys: reports strike them out of everything that was sent and received.
  const pattern = new RegExp(patterns.join("|"), "gi");
  return (text) => long.reduce(withoutBeginning, text.replace(pattern, redacted));
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
    // The letters of base64 depend on where the key begins in what was encoded.
    ...[0, 1, 2].flatMap((before) => base64(key, before)),
  ];
}

/** The letters that stand for the key alone where so many bytes come before it. */
function base64(key: string, before: number): string[] {
  const bytes = Buffer.from("\0".repeat(before) + key);
  const whole = Math.floor((bytes.length * 8) / 6);
  const letters = bytes.toString("base64").slice(Math.ceil((before * 8) / 6), whole);
  const safe = letters.replaceAll("+", "-").replaceAll("/", "_");
  return letters.length < shortest ? [] : [letters, safe];
}

/** Any of the texts, the longest first: a key may be the beginning of another. */
const anyOf = (texts: string[]): string =>
  `(?:${[...texts]
    .sort((one, other) => other.length - one.length)
    .map((text) => text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"))
    .join("|")})`;

/** Without the beginning of a key right before the dots, or the end, that a text was cut at. */
function withoutBeginning(text: string, form: string): string {
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

/** Everything that outcomes and messages must not show. */
export const secretsOf = ({ keys, secrets = [] }: Pick<Settings, "keys" | "secrets">): string[] => [
  ...Object.values(keys),
  ...secrets,
];
