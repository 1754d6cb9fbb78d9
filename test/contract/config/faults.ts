import { Ajv2020, type ErrorObject } from "ajv/dist/2020.js";
import { UserError } from "../../../lib/user-error.ts";
import type { Path, Source } from "./source.ts";

/** Something wrong in a file. */
export interface Fault {
  path: Path;
  /** What is wrong, after the name of the place: `is not a ...`. Never a value from the file: it may be a key. */
  says: string;
}

const shown = 10;

/** What is wrong with a value by a schema (2020-12) whose parts are all described. */
export function faultsBy(schema: object, value: unknown): Fault[] {
  const options = { allErrors: true, verbose: true, strictRequired: false, allowUnionTypes: true };
  const validate = new Ajv2020(options).compile(schema);
  return validate(value) ? [] : explain(validate.errors ?? []);
}

/**
 * Refuses a file that has faults.
 * @throws Failure with exit status 2 that names every place; nothing where there is no fault
 */
export function refuse(faults: readonly Fault[], source: Source, hint: string): void {
  if (faults.length === 0) return;
  const lines = faults
    .slice(0, shown)
    .map(({ path, says }) => `${source.place(path)} ${named(path)} ${says}`);
  if (faults.length > shown) lines.push(`and ${faults.length - shown} more`);
  throw new UserError(`${source.name} does not fit:\n  ${lines.join("\n  ")}`, { hint, exitCode: 2 });
}

/** A place in words: `domains.verified`, `suppressed[0]`. */
const named = (path: Path): string => {
  const parts = path.map((part) =>
    typeof part === "number" ? `[${part}]` : looksLikeAName(part) ? `.${part}` : ".***",
  );
  return parts.join("").replace(/^\./, "") || "the whole";
};

/** Whether it may be shown: a key that was pasted in the place of a name is hardly this short or made of letters alone. */
const looksLikeAName = (text: string): boolean => /^[A-Za-z$][A-Za-z-]{0,23}$/.test(text);

/** Ajv's errors in words. Of several at one place the first says enough, and an `anyOf` says it better than its parts. */
function explain(errors: ErrorObject[]): Fault[] {
  const faults = new Map<string, Fault>();
  const choices = errors.filter(({ keyword }) => keyword === "anyOf").map(({ instancePath }) => instancePath);
  for (const error of errors) {
    const { keyword, instancePath } = error;
    if (keyword !== "anyOf" && choices.some((choice) => instancePath.startsWith(choice))) continue;
    const path = pathOf(error);
    const key = JSON.stringify([path, keyword === "required" ? error.params.missingProperty : ""]);
    if (!faults.has(key)) faults.set(key, { path, says: words(error) });
  }
  return [...faults.values()];
}

function pathOf(error: ErrorObject): Path {
  const parts = error.instancePath
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"))
    .map((part) => (/^\d+$/.test(part) ? Number(part) : part));
  return error.keyword === "additionalProperties"
    ? [...parts, error.params.additionalProperty as string]
    : parts;
}

function words({ keyword, params, parentSchema }: ErrorObject): string {
  const { description, properties } = (parentSchema ?? {}) as { description?: string; properties?: object };
  const hint = description === undefined ? "" : ` (${description.replace(/\.$/, "")})`;
  switch (keyword) {
    case "additionalProperties": {
      const names = Object.keys(properties ?? {}).filter((name) => name !== "$schema");
      return `is not known here; known are ${names.join(", ")}`;
    }
    case "required":
      return `lacks ${params.missingProperty}`;
    case "enum":
      return `is not one of ${(params.allowedValues as unknown[]).join(", ")}`;
    case "type":
      return `is not ${[params.type].flat().map(article).join(" or ")}${hint}`;
    case "uniqueItems":
      return "has the same entry twice";
    case "minimum":
    case "exclusiveMinimum":
      return `is too small: it must be ${keyword === "minimum" ? "at least" : "more than"} ${params.limit}`;
    case "maximum":
      return `is too large: it must be at most ${params.limit}`;
    default:
      return `does not look right${hint}`;
  }
}

const article = (type: string): string =>
  type === "integer"
    ? "a whole number"
    : `${/^[aeio]/.test(type) ? "an" : "a"} ${type.replace("string", "text")}`;
