import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import { Mistake } from "../mistake.ts";
import type { SeedFile } from "./file.ts";
import { references } from "./references.ts";
import schema from "./seed.schema.json" with { type: "json" };
import type { Seed } from "./seed.ts";

/** Something wrong in a seed. */
export interface Fault {
  /** Where: the names and positions that lead there. */
  path: (string | number)[];
  /** What is wrong, after the name of the place: `is not a ...`. */
  says: string;
}

const shown = 10;

let compiled: ValidateFunction<Seed> | undefined;

/** The schema's validator: made when it is first needed, and once. */
function validator(): ValidateFunction<Seed> {
  const settings = { allErrors: true, verbose: true, strictRequired: false, allowUnionTypes: true };
  compiled ??= new Ajv2020(settings).compile<Seed>(schema);
  return compiled;
}

/**
 * Holds a value against the schema of seeds, then checks what a schema cannot say: that names are unique, and that what is
 * referred to is there.
 *
 * @throws Mistake that names every place
 */
export function checkSeed(value: unknown, file?: Pick<SeedFile, "name" | "place">): Seed {
  const validate = validator();
  const faults = validate(value) ? references(value) : explain(validate.errors ?? []);
  if (faults.length === 0) return value as Seed;
  const lines = faults.slice(0, shown).map((fault) => `${where(fault.path, file)} ${fault.says}`);
  if (faults.length > shown) lines.push(`and ${faults.length - shown} more`);
  const subject = file === undefined ? "The seed" : `The seed ${file.name}`;
  throw new Mistake(
    `${subject} does not fit:\n  ${lines.join("\n  ")}`,
    "What a seed may hold stands in sandbox/seed/seed.schema.json; sandbox/seed/demo.json is a whole one.",
  );
}

const where = (path: (string | number)[], file?: Pick<SeedFile, "name" | "place">): string => {
  const name = path
    .map((part) => (typeof part === "number" ? `[${part}]` : `.${part}`))
    .join("")
    .replace(/^\./, "");
  const place = name === "" ? "the whole" : name;
  if (file === undefined) return place;
  const { line, column } = file.place(path);
  return `${file.name}:${line}:${column} ${place}`;
};

/** Ajv's errors in words. Of several at one place the first says enough, and an `anyOf` says it better than its parts. */
function explain(errors: ErrorObject[]): Fault[] {
  const faults = new Map<string, Fault>();
  const choices = new Set(
    errors.filter(({ keyword }) => keyword === "anyOf").map(({ instancePath }) => instancePath),
  );
  for (const error of errors) {
    const isPart = error.schemaPath.includes("/anyOf/") || error.keyword === "pattern";
    if (isPart && choices.has(error.instancePath)) continue;
    const path = pathOf(error);
    const key = JSON.stringify([path, error.keyword === "required" ? error.params.missingProperty : ""]);
    if (!faults.has(key)) faults.set(key, { path, says: words(error) });
  }
  return [...faults.values()];
}

function pathOf(error: ErrorObject): (string | number)[] {
  const parts = error.instancePath
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"))
    .map((part) => (/^\d+$/.test(part) ? Number(part) : part));
  return error.keyword === "additionalProperties"
    ? [...parts, error.params.additionalProperty as string]
    : parts;
}

function words({ keyword, params, parentSchema, data, message }: ErrorObject): string {
  const description = (parentSchema as { description?: string } | undefined)?.description;
  const hint = description === undefined ? "" : ` (${description.replace(/\.$/, "")})`;
  switch (keyword) {
    case "additionalProperties": {
      const names = Object.keys((parentSchema as { properties: object }).properties);
      return `is not known here; known are ${names.filter((name) => name !== "$schema").join(", ")}`;
    }
    case "required":
      return `lacks ${params.missingProperty}`;
    case "enum":
      return `is ${said(data)}, not one of ${(params.allowedValues as unknown[]).join(", ")}`;
    case "type":
      return `is ${said(data)}, not ${[params.type].flat().join(" or ")}${hint}`;
    case "pattern":
      return `is ${said(data)}, which does not look right${hint}`;
    case "anyOf":
      return (parentSchema as { properties?: object }).properties === undefined
        ? `is ${said(data)}, which does not look right${hint}`
        : "needs html, text or both";
    default:
      return message ?? "is wrong";
  }
}

/** A value of YAML may hold itself, which JSON cannot say. */
function textOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? "nothing";
  } catch {
    return "a value that holds itself";
  }
}

function said(value: unknown): string {
  const text = textOf(value);
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}
