import type { ValidationError, Validator } from "../../generated/validators/requests.js";
import { sentence } from "./sentences.ts";

/** What is wrong with one field. */
export type FieldFault = readonly [name: string, sentence: string];

/** Fields with longer names are reported as their parent. */
const longestName = 100;

/** The most faults that are reported. */
const mostFaults = 100;

/** Keywords that only report failures below them, or rules across fields, which have sentences of their own. */
const structural = new Set(["oneOf", "anyOf", "allOf", "not", "if"]);

/** Whether `not` excludes a text, not a combination of fields. */
const isExcludedText = ({ keyword, instancePath }: ValidationError): boolean =>
  keyword === "not" && instancePath.startsWith("/headers/");

/**
 * Converts the errors of a validator to faults of named fields: `/to/3` becomes `to.3`.
 *
 * @param prefix of every name, such as `emails.2.`
 */
export function faultsOf(errors: readonly ValidationError[] | null, prefix = ""): FieldFault[] {
  const found = errors ?? [];
  const overfull = found.filter(isOverfull).map((error) => `${error.instancePath}/`);
  const told = new Set(found.filter(isPlainerThanFormat).map(({ instancePath }) => instancePath));
  const faults: FieldFault[] = [];
  for (const error of found) {
    if (faults.length >= mostFaults) break;
    if (structural.has(error.keyword) && !isExcludedText(error)) continue;
    if (isAboutName(error) || isForHandler(error)) continue;
    if (error.keyword === "format" && told.has(error.instancePath)) continue;
    // Of a list with too many entries, only their number is reported.
    const path = error.keyword === "propertyNames" ? `${error.instancePath}/` : error.instancePath;
    if (overfull.some((one) => path.startsWith(one))) continue;
    const name = fieldName(error);
    const [top = ""] = name.split(".", 1);
    faults.push([prefix + name, sentence(error, top)]);
  }
  return faults;
}

/** What is wrong with a value that a schema is to match. */
export const schemaFaults = (matches: Validator<unknown>, value: unknown): FieldFault[] =>
  matches(value) ? [] : faultsOf(matches.errors);

const isOverfull = (error: ValidationError): boolean =>
  error.keyword === "maxItems" || error.keyword === "maxProperties";

/**
 * Whether the handler validates the value instead of the schema: `date-time` is RFC 3339, and ISO 8601 has more forms; a list id that is out of
 * range gets 404, like any other that no list has.
 */
export const isForHandler = ({ keyword, params, instancePath }: ValidationError): boolean =>
  keyword === "format"
    ? params.format === "date-time"
    : instancePath === "/list_id" && (keyword === "minimum" || keyword === "maximum");

/** A value with the wrong type or pattern has the wrong format too, which is not reported again. */
const isPlainerThanFormat = ({ keyword }: ValidationError): boolean =>
  keyword === "type" || keyword === "pattern";

/** The validator reports an invalid property name twice; only `propertyNames` says which name it is. */
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
