import { isObject, jsonOf } from "../../lib/objects.ts";
import { valueAtPointer } from "../../scripts/document/json-pointer.ts";
import { pointerOf, type ValidationError } from "../document.ts";
import type { Exchange, Fault } from "../exchange.ts";
import { shown } from "../text.ts";
import type { Node } from "./encoded.ts";
import type { ResponseFinding } from "./finding.ts";

/** What the findings say is wrong with a response. */
export const faultsIn = (findings: readonly ResponseFinding[]): Fault[] =>
  findings.flatMap(({ failure }) => failure?.fault ?? []);

/** The fault of a response that explains a failed assertion about it: the assertion names one of its properties, or it is about the whole. */
export const faultBehind = ({ faults = [] }: Pick<Exchange, "faults">, text: string): Fault | undefined =>
  faults.find(({ names }) => names === undefined || names.some((name) => mentions(text, name)));

/** Whether a text has a name as a word; a short one, which is a word of sentences too unless it is a status, first or in quotation marks. */
export const mentions = (text: string, name: string): boolean =>
  text.startsWith(`${name} `) ||
  text.includes(`"${name}"`) ||
  ((name.length > 3 || /^\d+$/.test(name)) && wordsOf(text).includes(wordsOf(name)));

const wordsOf = (text: string): string =>
  ` ${text
    .toLowerCase()
    .replaceAll(/[^\w.-]+/g, " ")
    .trim()} `;

const isEncodedTwice = (value: unknown): boolean => typeof value === "string" && isObject(jsonOf(value));

/** The errors of a body in one line, at most four of them, with the values that they are about. */
export const describeErrors = (errors: readonly ValidationError[], body: unknown): string =>
  [...new Set(errors.map((error) => describe(error, body)))].slice(0, 4).join("; ");

function describe(error: ValidationError, body: unknown): string {
  const { params, message = "is invalid" } = error;
  const path = pointerOf(error).slice(1).replaceAll("/", ".") || "the body";
  const value = valueAtPointer(body, error.instancePath);
  if (body === undefined) return "no body, or one that is not JSON";
  if (isEncodedTwice(value)) return `${path} is a string that holds JSON: it is encoded twice`;
  if ("missingProperty" in params) {
    const other = otherName(value, String(params.missingProperty));
    return `${path} is missing${other === undefined ? "" : `; there is ${other}`}`;
  }
  if (isTime(error, value)) return describeTime(path, value);
  const allowed = Array.isArray(params.allowedValues) ? `: ${params.allowedValues.join(", ")}` : "";
  return `${path} is ${shown(value, 60)}, which ${message}${allowed}`;
}

/** What a time lacks to be one in UTC, and how to write it. */
export function describeTime(name: string, value: unknown): string {
  const text = String(value);
  if (/T\d\d:\d\d(:\d\d(\.\d+)?)?$/.test(text))
    return `${name} is ${text}, without an offset: write ${text}Z`;
  const at = new Date(text);
  const isWritable = /T[\d:.]{5,20}[+-]\d\d:?\d\d$/.test(text) && !Number.isNaN(at.getTime());
  return `${name} is ${shown(value, 60)}, not a time in UTC: write ${isWritable ? at.toISOString() : "it with Z at the end"}`;
}

/** The properties, without their places, of texts of `describeTime`. */
export const timeNamesIn = (text: string): string[] =>
  text
    .split("; ")
    .filter((one) => one.includes(": write "))
    .map((one) => one.replace(/ is .*/s, "").replace(/^.*[\s.]/s, ""));

/** Whether a time has another form, or is a number. */
const isTime = ({ params, instancePath }: ValidationError, value: unknown): boolean =>
  params.format === "date-time-in-utc" || (typeof value === "number" && /[/_]at$/.test(instancePath));

export const notInUtc = "Times are not written in UTC with Z at the end";
const numbers = "Times are numbers: write them as texts, in UTC with Z at the end";
export const timeFault = (names: readonly string[], cause = notInUtc): Fault => ({
  cause,
  names: [...names, "in UTC"],
});

/** The cause of names that differ from those in the document in style alone. */
export const otherNames =
  "Properties have other names than in the document, such as camelCase for snake_case";

/** A text without what the style of a name decides: case, underscores and hyphens. */
export const withoutStyle = (text: string): string => text.replaceAll(/[_-]/g, "").toLowerCase();

/** The fault of a status in place of those that are listed. @param found the status, and the error type if there is one */
export const statusFault = (what: string, found: string, listed: readonly unknown[]): Fault => ({
  cause: `${what} have the status ${found.slice(0, 3)} in place of ${listed.join(" or ") || "others"}`,
  names: [found],
});

export const fieldsFault = (cause: string): Fault => ({ cause, names: ["error.fields"] });
export const textsFault = () => fieldsFault("Entries of error.fields are not lists of texts");

/** Followed by the property that has entries of any name: `tags`. */
export const entryOf = "An entry of ";

/** Why there is no body in JSON. */
export const unreadable = ({ text }: Pick<Exchange, "text">): string =>
  text === "" ? "no body" : `a body that is not ${jsonOf(text) === undefined ? "JSON" : "valid UTF-8"}`;

const notJson = "Bodies are not JSON";
export const noBody = "Responses lack the body that the document describes";
/** The fault of a body that is not JSON, or empty. */
export const noJson = (text: string): Fault => ({ cause: text === "" ? noBody : notJson });

/** The likeliest fault of an invalid body: one of the whole body first, then one of many properties, then one of a single property. */
export function faultOf(
  errors: readonly ValidationError[],
  body: unknown,
  nodes: readonly Node[] = [],
): Fault {
  if (body === undefined) return { cause: noBody };
  if (isEncodedTwice(body)) return { cause: "Bodies are encoded as JSON twice" };
  const [[wrapper, inside] = [], ...others] = isObject(body) ? Object.entries(body) : [];
  const isInside = (error: ValidationError): boolean =>
    isObject(inside) && (pointerOf(error).split("/")[1] ?? "") in inside;
  if (others.length === 0 && errors.some(isInside))
    return { cause: `Bodies are inside a property ${wrapper}: return its value as the body` };
  const missing = errors.filter(({ params }) => "missingProperty" in params);
  const nameOf = ({ params }: ValidationError): string => String(params.missingProperty);
  if (
    missing.some((error) => otherName(valueAtPointer(body, error.instancePath), nameOf(error)) !== undefined)
  )
    return { cause: otherNames };
  if (errors.some((error) => pointerOf(error) === "/error"))
    return { cause: "Errors have another body than the error object of the document" };
  const nullable = missing.filter((error) => {
    const { type, anyOf = [] } = nodes.find(({ pointer }) => pointer === pointerOf(error))?.target ?? {};
    return [type, ...anyOf.map((one) => one.type)].flat().includes("null");
  });
  // Where another property of the same object is null, values that are null are not left out.
  const holders = nullable.map((error) => holderOf(pointerOf(error)));
  const isNullThere = nodes.some(
    ({ value, pointer }) => value === null && holders.includes(holderOf(pointer)),
  );
  if (nullable.length > 0 && !isNullThere)
    return {
      cause: "Properties without a value are left out: return them with the value null",
      names: nullable.map(nameOf),
    };
  const [first] = errors;
  const place = first === undefined ? "" : pointerOf(first);
  const parts = place.split("/");
  if (place.startsWith("/error/fields")) return textsFault();
  const name = parts.findLast((part) => !/^\d*$/.test(part));
  if (first === undefined || name === undefined)
    return { cause: `The body ${first?.message ?? "is invalid"}` };
  const value = valueAtPointer(body, place);
  if (isTime(first, value)) return timeFault([name], typeof value === "number" ? numbers : notInUtc);
  const map = nodes.find(
    ({ pointer, target }) => isObject(target.additionalProperties) && place.startsWith(`${pointer}/`),
  );
  // Names of entries are data. What differs from what was sent may also break a rule: that is the consequence.
  if (map !== undefined)
    return { cause: `${entryOf}${map.pointer.split("/").at(-1)} ${first.message}`, names: [] };
  return { cause: `${name} ${missing.includes(first) ? "is missing" : first.message}`, names: [name] };
}

const holderOf = (pointer: string): string => pointer.slice(0, pointer.lastIndexOf("/"));

/** The name of a property that differs only in its style. */
const otherName = (holder: unknown, name: string): string | undefined =>
  isObject(holder)
    ? Object.keys(holder).find((one) => one !== name && withoutStyle(one) === withoutStyle(name))
    : undefined;
