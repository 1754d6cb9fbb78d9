import type { CustomField } from "./records.ts";

const sentences: Record<CustomField["type"], string> = {
  text: "Must be text.",
  number: "Must be a number.",
  date: "Must be a date, written YYYY-MM-DD.",
  url: "Must be a web address that starts with https:// or http://.",
};

/** What is wrong with the value of a custom field, in a sentence for people; undefined when it fits. Null always fits: it clears the field. */
export function valueFault(
  field: CustomField | undefined,
  value: string | number | null,
): string | undefined {
  if (field === undefined) return "This account has no custom field of this name.";
  return value === null || fits[field.type](value) ? undefined : sentences[field.type];
}

const fits: Record<CustomField["type"], (value: string | number) => boolean> = {
  text: (value) => typeof value === "string",
  // Numbers come as numbers or as text: which of them is not specified.
  number: (value) => typeof value === "number" || (value.trim() !== "" && Number.isFinite(Number(value))),
  date: (value) => typeof value === "string" && isDate(value),
  url: (value) => typeof value === "string" && isWebAddress(value),
};

function isDate(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false;
  const time = Date.parse(`${text}T00:00:00Z`);
  // Days such as the 30th of February would roll over.
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

function isWebAddress(text: string): boolean {
  if (/\s/.test(text) || !/^https?:\/\//i.test(text)) return false;
  return URL.canParse(text);
}
