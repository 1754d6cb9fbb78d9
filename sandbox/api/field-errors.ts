import { limits, mostVariables } from "../../generated/limits.ts";
import type { ParameterTexts, ValidationError, Validator } from "../../generated/validators/requests.js";
import { isObject } from "../../lib/objects.ts";
import { count, segmentsOf } from "../../lib/text.ts";
import { timeSentence } from "../domain/times.ts";
import type { RequestContext } from "./context.ts";
import { canReturn, type ErrorResponse, errorResponse, invalidFields } from "./error-response.ts";
import { queryOf, type Route } from "./paths.ts";

export type FieldError = readonly [name: string, sentence: string];

/** Fields with longer names are reported as their parent. */
const longestName = 100;

const mostFieldErrors = 100;

/** Keywords that only report failures below them, or rules across fields, which have sentences of their own. */
const structural = new Set(["oneOf", "anyOf", "allOf", "not", "if"]);

/**
 * Converts the errors of a validator to errors of named fields: `/to/3` becomes `to.3`.
 * @param prefix of every name, such as `emails.2.`
 */
export function fieldErrorsOf(errors: readonly ValidationError[] | null, prefix = ""): FieldError[] {
  const found = errors ?? [];
  const placesOf = (...keywords: string[]): string[] =>
    found.filter(({ keyword }) => keywords.includes(keyword)).map(({ instancePath }) => instancePath);
  const overfull = placesOf("maxItems", "maxProperties").map((place) => `${place}/`);
  // A value with the wrong type or pattern has the wrong format too, which is not reported again.
  const told = new Set(placesOf("type", "pattern"));
  const fieldErrors: FieldError[] = [];
  for (const error of found) {
    if (fieldErrors.length >= mostFieldErrors) break;
    // `not` of a header excludes a text, not a combination of fields.
    const isExcludedText = error.keyword === "not" && error.instancePath.startsWith("/headers/");
    if (structural.has(error.keyword) && !isExcludedText) continue;
    if (isAboutName(error) || isForHandler(error)) continue;
    if (error.keyword === "format" && told.has(error.instancePath)) continue;
    // Of a list with too many entries, only their number is reported.
    const path = error.keyword === "propertyNames" ? `${error.instancePath}/` : error.instancePath;
    if (overfull.some((one) => path.startsWith(one))) continue;
    const name = fieldName(error);
    const [top = ""] = name.split(".", 1);
    fieldErrors.push([prefix + name, sentence(error, top)]);
  }
  return fieldErrors;
}

export const schemaErrors = (matches: Validator<unknown>, value: unknown): FieldError[] =>
  matches(value) ? [] : fieldErrorsOf(matches.errors);

/**
 * Whether the handler validates the value instead of the schema: `date-time` is RFC 3339, and ISO 8601 has more forms; a list id that is out of
 * range gets 404, like any other that no list has.
 */
export const isForHandler = ({ keyword, params, instancePath }: ValidationError): boolean =>
  keyword === "format"
    ? params.format === "date-time"
    : instancePath === "/list_id" && (keyword === "minimum" || keyword === "maximum");

/** The validator reports an invalid property name twice; only `propertyNames` says which name it is. */
const isAboutName = (error: ValidationError): boolean =>
  error.propertyName !== undefined ||
  (error.keyword !== "propertyNames" &&
    /^#\/(pattern|maxLength)$/.test(error.schemaPath) &&
    ["/headers", "/tags"].includes(error.instancePath));

function fieldName(error: ValidationError): string {
  const parts = segmentsOf(error.instancePath);
  const { missingProperty, propertyName } = error.params;
  if (error.keyword === "required") parts.push(String(missingProperty));
  if (error.keyword === "propertyNames") parts.push(String(propertyName));
  while (parts.length > 1 && (parts.at(-1)?.length ?? 0) > longestName) parts.pop();
  return parts.length === 0 ? "body" : parts.join(".");
}

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
function sentence(error: ValidationError, field: string): string {
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

/** Smaller bodies cannot have so many entries that reporting each would take too long, in bytes. */
const harmless = 65_536;

/** One entry more than a property may have. The variables of a template, which may be many more, have no rules for their names. */
const mostOf = (name: string): number =>
  1 +
  (name === "variables"
    ? mostVariables
    : Math.max(limits.recipientsPerField, limits.messageTags, limits.attachments, limits.contactFields));

/**
 * The body with no more entries of a field than show that they are too many: a validator reports every error of every entry, and would run
 * out of memory.
 * @param bytes the size of the body
 */
export function withoutSurplus(body: Record<string, unknown>, bytes: number): Record<string, unknown> {
  if (bytes < harmless) return body;
  const cut = Object.entries(body).flatMap(([name, value]) => {
    const first = Array.isArray(value) || isObject(value) ? firstOf(value, mostOf(name)) : value;
    return first === value ? [] : [[name, first] as const];
  });
  return cut.length === 0 ? body : { ...body, ...Object.fromEntries(cut) };
}

/** The first entries of a list or an object; itself if it has no more. */
function firstOf(value: unknown[] | Record<string, unknown>, most: number): unknown {
  if (Array.isArray(value)) return value.length > most ? value.slice(0, most) : value;
  const names: string[] = [];
  for (const name in value) {
    if (names.push(name) >= most) return Object.fromEntries(names.map((one) => [one, value[one]]));
  }
  return value;
}

/** Path and query parameters as the types of their schemas. */
type Parameters = Pick<RequestContext, "path" | "query">;

/** The generated parser of an operation's parameters. */
export interface ParametersParser {
  parse(parameters: ParameterTexts): { values: Parameters; errors: ValidationError[] | null };
}

const unknown = errorResponse("404.not_found", "Nothing on this account has this path parameter.");

/**
 * Parses and validates the path and query parameters of a request. Invalid ones are rejected with 422, which names them, except path
 * parameters of an operation that has 404 `not_found`: nothing exists with them, and the look-up of the handler returns that. It comes after
 * the fields of the body. A path parameter that is not of its type gets 404 here.
 */
export function readParameters(
  { operation, parameters: path }: Route,
  target: string,
  parser: ParametersParser,
): Parameters | ErrorResponse<"404.not_found" | "422.invalid_request"> {
  if (operation.pathParameters.length + operation.queryParameters.length === 0)
    return { path: {}, query: {} };
  const { values, errors } = parser.parse({ path, query: new URLSearchParams(queryOf(target)) });
  if (errors === null) return values;
  const isLookedUp = canReturn(operation, "404.not_found");
  const inPath = errors.filter(({ instancePath }) => isLookedUp && instancePath.startsWith("/path"));
  const others = errors.filter((error) => !inPath.includes(error));
  // Names start with the group: `query.limit`.
  if (others.length > 0)
    return invalidFields(
      fieldErrorsOf(others).map(([name, sentence]) => [name.slice(name.indexOf(".") + 1), sentence]),
    );
  return inPath.some(({ keyword }) => keyword === "type") ? unknown : values;
}
