import type { Marks } from "../../../generated/schema-types.ts";
import { requirementPath, unspecifiedPath } from "../page.ts";
import { code, outsideCode, siteLink } from "./markdown.ts";

/** The ids of several parts, each once. */
export function mergedIds(...parts: object[]): Marks {
  const merged = (["x-encodes", "x-leaves-unspecified"] as const).map(
    (key) => [key, new Set(parts.flatMap((part) => (part as Marks)[key] ?? []))] as const,
  );
  return Object.fromEntries(merged.filter(([, ids]) => ids.size > 0).map(([key, ids]) => [key, [...ids]]));
}

/**
 * The technical limits of a part, and links to its requirements and to what it leaves unspecified. The search skips them.
 * @param limits a phrase for each technical limit
 * @param name that of the part, if others refer to it by a name
 */
export function requirementNotes(part: object, limits: string[] = [], name = ""): string {
  const { "x-encodes": encoded = [], "x-leaves-unspecified": unspecified = [] } = part as Marks;
  const parts = [
    ["named", "Name", name && code(name)],
    ["technical", "Technical limit, not part of the contract", limits.join("; ")],
    ["open", "Unspecified", unspecified.map((id) => siteLink(id, unspecifiedPath(id))).join(", ")],
    ["encoded", "Requirements", encoded.map((id) => siteLink(id, requirementPath(id))).join(", ")],
  ]
    .filter(([, , text]) => text !== "")
    .map(([kind, title, text]) => `<span class="${kind}">${title}: ${text}</span>`);
  return parts.length === 0 ? "" : `<small data-pagefind-ignore>${parts.join(" · ")}</small>`;
}

/**
 * A sentence with the word "unspecified", outside code: at the start of a line, an entry or a cell, or after another sentence. It ends
 * with the first full stop before a space, a tag or the end of the line. That all fields of an object are unspecified is no detail.
 */
const sentence =
  /(?<=^\s*(?:- |> )?|[.:] |\| |<br>)(?!The fields are )[A-Z](?:(?!\. |\||<br>).)*?(?<!:)\bunspecified\b(?!#)(?:(?!\. |\||<br>).)*?\.(?= |$|<)/gm;

/** Marks the sentences on what is unspecified, which have a line of their own. @param text the Markdown of a page */
export const markUnspecified = (text: string): string =>
  outsideCode(text, (part) => part.replaceAll(sentence, '<span class="unspecified-note">$&</span>'));
