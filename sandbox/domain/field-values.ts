import type { CustomField } from "./records.ts";

const sentences: Record<CustomField["type"], string> = {
  text: "Must be text.",
  number: "Must be a number.",
  date: "Must be a date in the format YYYY-MM-DD.",
  url: "Must be a URL that starts with https:// or http://.",
};

/** What is wrong with the value of a custom field; undefined if it is valid. Null always is: it clears the field. */
export function valueFault(
  field: CustomField | undefined,
  value: string | number | null,
): string | undefined {
  if (field === undefined) return "This account has no custom field with this name.";
  return value === null || fits[field.type](value) ? undefined : sentences[field.type];
}

const fits: Record<CustomField["type"], (value: string | number) => boolean> = {
  text: (value) => typeof value === "string",
  // Whether numbers are sent as numbers or as text is unspecified.
  number: (value) => typeof value === "number" || (value.trim() !== "" && Number.isFinite(Number(value))),
  date: (value) => typeof value === "string" && isDate(value),
  url: (value) => typeof value === "string" && isWebAddress(value),
};

function isDate(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false;
  const time = Date.parse(`${text}T00:00:00Z`);
  // Dates such as February 30 would roll over.
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

function isWebAddress(text: string): boolean {
  if (/\s/.test(text) || !/^https?:\/\//i.test(text)) return false;
  return URL.canParse(text);
}
