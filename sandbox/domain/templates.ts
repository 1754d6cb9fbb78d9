import { escapeHtml } from "../../lib/html.ts";
import type { Template } from "./records.ts";
import { largestMessage } from "./size.ts";

const placeholder = /\{\{\s*([\w.:-]{1,256})\s*\}\}/g;

export interface FilledTemplate {
  subject: string;
  html: string | null;
  text: string | null;
  /** The variables without a value; omitted if there are none. */
  missingVariables?: string[];
}

/**
 * Fills in the variables of a template. A missing one becomes empty and is reported. Values are escaped in HTML, and lose their line breaks in
 * the subject.
 */
export function fillTemplate(template: Template, variables: Record<string, unknown>): FilledTemplate {
  const missing = new Set<string>();
  let room = largestMessage + 1;
  /** The value of a variable, unless the message is too large by now: it is rejected, whatever follows. */
  const value = (name: string, convert = (text: string): string => text): string => {
    if (!Object.hasOwn(variables, name)) missing.add(name);
    if (!Object.hasOwn(variables, name) || room === 0) return "";
    const converted = convertUpTo(room, plain(variables[name]), convert);
    room -= converted.length;
    return converted;
  };
  const filled = {
    subject: fill(template.subject, (name) => value(name).replace(/[\r\n]+/g, " ")),
    html: template.html === null ? null : fill(template.html, (name) => value(name, escapeHtml)),
    text: template.text === null ? null : fill(template.text, (name) => value(name)),
  };
  return missing.size === 0 ? filled : { ...filled, missingVariables: [...missing] };
}

/** How much of a value is converted at once, in characters. */
const piece = 65_536;

/** The start of a converted text, of at most this many characters: escaped, a text may be six times as long. */
function convertUpTo(room: number, text: string, convert: (text: string) => string): string {
  if (text.length <= piece) return convert(text).slice(0, room);
  let converted = "";
  for (let at = 0; at < text.length && converted.length < room; at += piece) {
    converted += convert(text.slice(at, at + piece));
  }
  return converted.slice(0, room);
}

const fill = (text: string, value: (name: string) => string): string =>
  text.replace(placeholder, (_whole, name: string) => value(name));

function plain(value: unknown): string {
  if (value === null || value === undefined) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
