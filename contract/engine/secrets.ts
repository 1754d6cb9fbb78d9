import { environmentKeys } from "./child-environment.ts";
import type { Settings } from "./settings.ts";

/** What replaces a secret. */
export const redacted = "***";
/** A shorter key could be part of any word: it is redacted after `Bearer`, and as a whole word if it is not an ordinary one. */
const shortest = 8;
/** Words that mix letters and digits, or numbers as long as a code. A key with other characters than those of `words` is none. */
const unusual = /^(?=.*\d)(?=.*[a-z])[\w-]{4,7}$|^\d{6,7}$/;
const words = /[\w-]+/g;
const bearer = "bearer ";

/**
 * Redacts API keys in a text, in any encoding (JSON, JSON within JSON, URL, HTML, base64) and any case. The start of a key is
 * redacted too if the text is cut after it.
 */
export function redactor(keys: readonly string[]) {
  const byStart = new Map<string, string[]>();
  const short = new Set<string>();
  const formsAt = (form: string): string[] => byStart.get(form.slice(0, shortest)) ?? [];
  const redact = (text: string): string => {
    const plain = plainOf(text);
    const starts =
      byStart.size < mostSearched
        ? byStart.keys().filter((start) => plain.includes(start))
        : new Set(Array.from(plain, (_, at) => plain.slice(at, at + shortest)));
    const hidden = new Uint8Array(plain.length);
    for (const start of starts) for (const form of formsAt(start)) hide(form, plain, hidden);
    for (const { 0: word, index } of short.size === 0 ? [] : plain.matchAll(words))
      if (short.has(word)) hidden.fill(1, index, index + word.length);
    if (!hidden.includes(1)) return text;
    let at = 0;
    return text.replaceAll(characters, (character) => {
      const [before, own] = [hidden[at - 1], hidden[at]];
      at += plainOf(character).length;
      if (own !== 1) return character;
      return before === 1 ? "" : redacted;
    });
  };
  const add = (key: string): void => {
    if (unusual.test(plainOf(key))) short.add(plainOf(key));
    for (const form of formsOf(key)) byStart.set(form.slice(0, shortest), [...formsAt(form), form]);
  };
  const remove = (key: string): void => {
    short.delete(plainOf(key));
    for (const form of formsOf(key)) {
      const own = formsAt(form);
      if (own.length === 1) byStart.delete(form.slice(0, shortest));
      else own.splice(own.indexOf(form), 1);
    }
  };
  for (const key of keys) if (key !== "") add(key);
  return Object.assign(redact, { add, remove });
}

/** Characters of a key that most others do not have. */
const sample = 32;
/** If there are more starts of keys, each part of a text is looked up among them. */
const mostSearched = 1000;

/** A character as JSON (within JSON), URLs (within URLs) and HTML write it. Repetitions are bounded, so that no text takes long. */
const escaped =
  /\\+(?:u([\da-f]{4})|([^\\]?))|%(?:25){0,3}([\da-f]{2})|&(?:amp;){0,3}(?:#x0{0,6}([\da-f]{2,5});|#0{0,6}(\d{2,6});|(amp|lt|gt|quot|apos);)|\P{ASCII}/giu;
const characters = new RegExp(`${escaped.source}|.`, "gisu");
const named: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/** The bytes of a text in lower case without escapes, each as one character. */
const plainOf = (text: string): string =>
  text
    .replace(
      escaped,
      (found, json?: string, own?: string, byte?: string, hex?: string, decimal?: string, name = "") => {
        if (byte !== undefined) return String.fromCharCode(Number.parseInt(byte, 16));
        const code = json ?? hex;
        const number = code === undefined ? Number(decimal) : Number.parseInt(code, 16);
        const character = Number.isNaN(number)
          ? (own ?? named[name.toLowerCase()] ?? found)
          : String.fromCodePoint(number);
        return Buffer.from(character.toLowerCase()).toString("latin1");
      },
    )
    .toLowerCase();

/** A key as it stands in a text without escapes: in base64, the characters depend on its offset. */
function formsOf(key: string): Set<string> {
  const plain = plainOf(key);
  const inBase64 = [0, 1, 2].flatMap((before) => base64(key, before));
  return new Set([plain.length < shortest ? bearer + plain : plain, ...inBase64]);
}

/** The base64 characters of the key alone, after so many bytes. */
function base64(key: string, before: number): string[] {
  const bytes = Buffer.from("\0".repeat(before) + key);
  const letters = bytes
    .toString("base64")
    .toLowerCase()
    .slice(Math.ceil((before * 8) / 6), Math.floor((bytes.length * 8) / 6));
  return letters.length < shortest ? [] : [letters, letters.replaceAll("+", "-").replaceAll("/", "_")];
}

/**
 * Marks where a text has a key, or its start right before the dots, or the end, of what was cut. Linear in the length of both, by the prefix
 * function of Knuth, Morris and Pratt: how much of the form ends at each character.
 */
function hide(form: string, plain: string, hidden: Uint8Array): void {
  const skipped = form.startsWith(bearer) ? bearer.length : 0;
  const shortestCut = Math.min(skipped + shortest, form.length);
  const start = form.slice(0, shortestCut);
  const tail = plain.includes("...") ? plain : plain.slice(-form.length);
  // Most keys begin alike.
  if (!plain.includes(form.slice(0, sample)) && !tail.includes(start)) return;
  const text = `${form}\uFFFF${plain}`;
  const ends = new Uint32Array(text.length);
  let done = 0;
  for (let at = 1; at < text.length; at += 1) {
    let length = ends[at - 1] ?? 0;
    while (length > 0 && text[at] !== text[length]) length = ends[length - 1] ?? 0;
    if (text[at] === text[length]) length += 1;
    ends[at] = length;
    const isCut = at === text.length - 1 || text.startsWith("...", at + 1);
    if (at <= form.length || length < (isCut ? shortestCut : form.length)) continue;
    const to = at - form.length;
    hidden.fill(1, Math.max(done, to - length + skipped), to);
    done = to;
  }
}

export const secretsOf = ({ keys, secrets = [] }: Pick<Settings, "keys" | "secrets">): string[] =>
  Object.values(keys).concat(secrets, environmentKeys());
