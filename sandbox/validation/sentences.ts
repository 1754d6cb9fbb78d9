import type { ValidationError } from "../../generated/validators/requests.js";

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
  email: "Must be an email address on its own, such as ada@example.com.",
  "date-time": "Must be a time in ISO 8601 with its offset from UTC, such as 2026-12-24T18:00:00+01:00.",
  uri: "Must be a valid link.",
  base64: "Must be base64.",
};

/** What the patterns of the contract ask for, by the field they stand on. */
const patterns: Readonly<Record<string, string>> = {
  path: "The link must start with https://.",
  content: formats.base64 ?? "",
  scheduled_at: formats["date-time"] ?? "",
  headers: "Must not have line breaks.",
};

/** What names may be, by the field whose names they are. */
const names: Readonly<Record<string, string>> = {
  headers: "Only names that start with X-, List-Unsubscribe and List-Unsubscribe-Post are allowed.",
  tags: "Names are made of letters, numbers, dashes, underscores, colons and dots.",
};

/** The sentence that tells a person what is wrong. `field` is the name of the field, `top` the first part of it in its message. */
export function sentence(error: ValidationError, field: string, top: string): string {
  const { limit } = error.params;
  switch (error.keyword) {
    case "required":
      return "Is required.";
    case "type":
      return `Must be ${typeNames(error.params.type)}.`;
    case "format":
      return formats[String(error.params.format)] ?? "Has the wrong form.";
    case "pattern":
      return patterns[field.slice(field.lastIndexOf(".") + 1)] ?? patterns[top] ?? "Has the wrong form.";
    case "propertyNames":
      return names[top] ?? "This name is not allowed.";
    case "maxLength":
      return `Must not be longer than ${limit} characters.`;
    case "minItems":
      return `Must have at least ${limit} ${limit === 1 ? "entry" : "entries"}.`;
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
