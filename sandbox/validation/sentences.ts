import type { ValidationError } from "../../generated/validators/requests.js";
import { count } from "../../lib/text.ts";
import { timeSentence } from "../domain/times.ts";

const types: Readonly<Record<string, string>> = {
  string: "text",
  array: "a list",
  object: "an object",
  integer: "a whole number",
  number: "a number",
  boolean: "true or false",
  null: "null",
};

const formats: Readonly<Record<string, string>> = {
  email: "Must be an email address without a display name, such as ada@example.com.",
  "date-time": timeSentence,
  uri: "Must be a valid URL.",
  base64: "Must be base64.",
};

/** What the patterns of the contract require, by top-level field. */
const patterns = new Map([
  ["from", formats.email],
  ["path", "Must start with https://."],
  ["content", formats.base64],
  ["scheduled_at", formats["date-time"]],
  ["headers", "Must not have line breaks."],
]);

/** What property names must be, by top-level field. */
const names = new Map([
  [
    "headers",
    "Names must be List-Unsubscribe, List-Unsubscribe-Post, or start with X- and consist of ASCII characters without spaces and colons.",
  ],
  ["tags", "Names must consist of letters, numbers, dashes, underscores, colons and dots."],
]);

/** What is wrong with a top-level field or something in it, in a sentence. */
export function sentence(error: ValidationError, field: string): string {
  const { limit } = error.params;
  switch (error.keyword) {
    case "required":
      return "Is required.";
    case "type":
      return `Must be ${typeNames(error.params.type)}.`;
    case "format":
      return formats[String(error.params.format)] ?? "Has the wrong format.";
    case "pattern":
    case "not":
      return patterns.get(field) ?? "Has the wrong format.";
    case "propertyNames":
      return names.get(field) ?? "This name is not allowed.";
    case "maxLength":
      return `Must not be longer than ${limit} characters.`;
    case "minItems":
      return `Must have at least ${count(Number(limit), "entry", "entries")}.`;
    case "maxItems":
    case "maxProperties":
      return `Must not have more than ${limit} entries.`;
    case "minimum":
    case "maximum":
      return "Is out of range.";
    default:
      return "Is not valid.";
  }
}

function typeNames(type: unknown): string {
  const all = (Array.isArray(type) ? type : [type]).map((name) => types[String(name)] ?? String(name));
  return all.length === 1 ? String(all[0]) : `${all.slice(0, -1).join(", ")} or ${all.at(-1)}`;
}
