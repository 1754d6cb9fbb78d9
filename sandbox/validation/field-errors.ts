import type { ValidationError } from "../../generated/validators/requests.js";
import { sentence } from "./sentences.ts";

/** What is wrong with one field. */
export type FieldFault = readonly [name: string, sentence: string];

/** Names longer than this stand for themselves only as far as their parent. */
const longestName = 100;

/** More faults than these help nobody. */
const mostFaults = 100;

/** Keywords that only say that others under them failed, or that a rule across fields did: those get sentences of their own. */
const structural = new Set(["oneOf", "anyOf", "allOf", "not", "if"]);

/**
 * Turns what a validator found into faults of named fields, told for people: `/to/3` is `to.3`. `prefix` stands in front
 * of every name, such as `emails.2.`.
 */
export function faultsOf(errors: readonly ValidationError[] | null, prefix = ""): FieldFault[] {
  const found = errors ?? [];
  const overfull = found.filter(isOverfull).map((error) => `${error.instancePath}/`);
  const told = new Set(found.filter(isPlainerThanFormat).map(({ instancePath }) => instancePath));
  const faults: FieldFault[] = [];
  for (const error of found) {
    if (faults.length >= mostFaults) break;
    if (structural.has(error.keyword) || isAboutName(error)) continue;
    if (error.keyword === "format" && told.has(error.instancePath)) continue;
    // Of a list with too many entries nobody wants to hear about each.
    if (overfull.some((path) => error.instancePath.startsWith(path))) continue;
    const name = fieldName(error);
    const top = name.slice(0, (name.indexOf(".") + 1 || name.length + 1) - 1);
    faults.push([prefix + name, sentence(error, name, top)]);
  }
  return faults;
}

const isOverfull = (error: ValidationError): boolean =>
  error.keyword === "maxItems" || error.keyword === "maxProperties";

/** A value of the wrong type, or against a pattern, has no right format either: once said is enough. */
const isPlainerThanFormat = ({ keyword }: ValidationError): boolean =>
  keyword === "type" || keyword === "pattern";

/** What is wrong with the name of an entry comes twice: with a rule for names, and once more as `propertyNames`, which tells which name. */
const isAboutName = (error: ValidationError): boolean =>
  error.propertyName !== undefined ||
  (error.keyword !== "propertyNames" && /^#\/(pattern|maxLength)$/.test(error.schemaPath) && isMap(error));

const isMap = (error: ValidationError): boolean =>
  error.instancePath === "/headers" || error.instancePath === "/tags";

function fieldName(error: ValidationError): string {
  const parts = error.instancePath.split("/").slice(1).map(unescaped);
  const { missingProperty, propertyName } = error.params;
  if (error.keyword === "required") parts.push(String(missingProperty));
  if (error.keyword === "propertyNames") parts.push(String(propertyName));
  while (parts.length > 1 && (parts.at(-1)?.length ?? 0) > longestName) parts.pop();
  return parts.length === 0 ? "body" : parts.join(".");
}

const unescaped = (part: string): string => part.replaceAll("~1", "/").replaceAll("~0", "~");
