import { Ajv2020, type ErrorObject } from "ajv/dist/2020.js";
import { attempted, oncePer } from "./objects.ts";
import { count, segmentsOf } from "./text.ts";
import { usageError } from "./user-error.ts";
import type { Path, YamlSource } from "./yaml-source.ts";

export interface Problem {
  path: Path;
  /** What is wrong, to be read after the path: `must be a string (got 5)`. */
  message: string;
}

const shownProblems = 10;

export interface ProblemOptions {
  /** Leaves out values, and property names that could be values: one of them may be a secret. */
  hideValues?: boolean;
}

const settings = {
  allErrors: true,
  verbose: true,
  strictRequired: false,
  allowUnionTypes: true,
  validateFormats: false,
};
const validatorOf = oncePer((schema: object) => new Ajv2020(settings).compile(schema));

/** The problems of a value under a JSON Schema (2020-12), whose formats are not checked; each schema is compiled once. */
export function schemaProblems(schema: object, value: unknown, { hideValues = false }: ProblemOptions = {}) {
  const validate = validatorOf(schema);
  return validate(value) ? [] : problemsOf(validate.errors ?? [], hideValues);
}

export interface RejectOptions extends ProblemOptions {
  /** What is invalid: `the seed demo.yaml`. */
  subject: string;
  /** What to do about it. */
  hint: string;
  /** Adds `file:line:column` to every problem. */
  source?: Pick<YamlSource, "name" | "positionOf">;
}

/**
 * Rejects an input that has problems; does nothing if it has none.
 * @throws UserError with exit code 2 that lists the first ten problems
 */
export function assertNoProblems(
  problems: readonly Problem[],
  { subject, hint, source, ...options }: RejectOptions,
): void {
  if (problems.length === 0) return;
  const lines = problems.slice(0, shownProblems).map(({ path, message }) => {
    const position = source?.positionOf(path);
    const where = position ? `${source?.name}:${position.line}:${position.column} ` : "";
    return `${where}${describePath(path, options)} ${message}`;
  });
  if (problems.length > shownProblems) lines.push(`and ${problems.length - shownProblems} more`);
  const message = `${subject} is invalid (${count(problems.length, "problem")}):\n  ${lines.join("\n  ")}`;
  throw usageError(message, hint);
}

/** A path as people write it: `accounts[0].name`. `hideValues` masks a name that could be a pasted secret. */
export function describePath(path: Path, { hideValues = false }: ProblemOptions = {}): string {
  const nameOf = (part: string): string =>
    hideValues && !/^([A-Za-z$][A-Za-z-]{0,23}|[a-z]{1,12}_[a-z]{1,12})$/.test(part) ? "***" : part;
  const parts = path.map((part) => (typeof part === "number" ? `[${part}]` : `.${nameOf(part)}`));
  return parts.join("").replace(/^\./, "") || "the document";
}

/** One problem per path: the first one, and for an `anyOf` its own instead of those of its branches. */
function problemsOf(errors: ErrorObject[], hideValues: boolean): Problem[] {
  const problems = new Map<string, Problem>();
  const unions = errors.filter(({ keyword }) => keyword === "anyOf").map(({ instancePath }) => instancePath);
  for (const error of errors) {
    const { keyword, instancePath, params } = error;
    if (keyword !== "anyOf" && unions.some((union) => `${instancePath}/`.startsWith(`${union}/`))) continue;
    const path = pathOf(error);
    const key = JSON.stringify([path, keyword === "required" ? params.missingProperty : ""]);
    if (!problems.has(key))
      problems.set(key, { path, message: `${messageOf(error)}${hideValues ? "" : gotOf(error)}` });
  }
  return [...problems.values()];
}

function pathOf({ instancePath, keyword, params }: ErrorObject): Path {
  const parts = segmentsOf(instancePath).map((part) => (/^\d+$/.test(part) ? Number(part) : part));
  return keyword === "additionalProperties" ? [...parts, params.additionalProperty as string] : parts;
}

function messageOf({ keyword, params, parentSchema, message, data }: ErrorObject): string {
  const { description, properties } = (parentSchema ?? {}) as { description?: string; properties?: object };
  const note = description === undefined ? "" : ` (${description.replace(/\.$/, "")})`;
  // YAML reads 1.0 as a number.
  const quotes = params.type === "string" && typeof data === "number" ? " in quotes" : "";
  switch (keyword) {
    case "additionalProperties": {
      const known = Object.keys(properties ?? {}).filter((name) => name !== "$schema");
      return `is not a known property; the known ones are ${known.join(", ")}`;
    }
    case "required":
      return `must have the property ${params.missingProperty}`;
    case "enum":
      return `must be one of ${(params.allowedValues as unknown[]).join(", ")}`;
    case "const":
      return `must be ${params.allowedValue}`;
    case "type":
      return `must be ${[params.type].flat().map(withArticle).join(" or ")}${quotes}${note}`;
    case "minLength":
      return `must have at least ${count(Number(params.limit), "character")}`;
    case "maxLength":
      return `must have at most ${count(Number(params.limit), "character")}`;
    case "minItems":
      return `must have at least ${count(Number(params.limit), "entry", "entries")}`;
    case "maxItems":
      return `must have at most ${count(Number(params.limit), "entry", "entries")}`;
    case "maxProperties":
      return `must have at most ${count(Number(params.limit), "property", "properties")}${note}`;
    case "uniqueItems":
      return "must not have the same entry twice";
    case "pattern":
    case "anyOf":
    case "oneOf":
      return `is invalid${note}`;
    default:
      return message ?? `is invalid${note}`;
  }
}

const withArticle = (type: string): string => `${/^[aeio]/.test(type) ? "an" : "a"} ${type}`;

/** The value at fault, shortened; empty if the keyword is not about the value itself. */
function gotOf({ keyword, data }: ErrorObject): string {
  if (["additionalProperties", "required", "anyOf", "oneOf", "uniqueItems"].includes(keyword)) return "";
  const text = textOf(data);
  return ` (got ${text.length > 60 ? `${text.slice(0, 57)}...` : text})`;
}

/** A YAML value may contain itself, which JSON cannot express. */
const textOf = (value: unknown): string =>
  attempted(() => JSON.stringify(value) ?? "nothing") ?? "a value that contains itself";
