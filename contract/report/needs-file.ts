import { resolve } from "node:path";
import type { Needs } from "../../generated/schema-types.ts";
import { readTextFile } from "../../lib/files.ts";
import { assertNoProblems, schemaProblems } from "../../lib/schema-errors.ts";
import { parseYaml } from "../../lib/yaml-source.ts";
import schema from "./needs.schema.json" with { type: "json" };
import type { ContractResult } from "./result.ts";

/** What an application relies on: what its traffic exercised, and the requirements that pass in it. */
export function needsOf({ tool, requirements, coverage }: ContractResult): Needs {
  const kinds = coverage?.kinds.filter(({ kind }) => kind !== "limits") ?? [];
  const exercised = Object.fromEntries(kinds.map(({ kind, exercised = [] }) => [kind, exercised]));
  return {
    format: 1,
    tool,
    ...(exercised as Pick<Needs, "operations" | "statuses" | "errors" | "parameters" | "properties">),
    responseProperties: coverage?.returned ?? [],
    requirements: requirements.flatMap(({ id, verdict }) => (verdict === "pass" ? [id] : [])),
  };
}

export const hint = "Give the file that `observe --needs FILE` writes.";

/** @throws UserError with exit code 2 if the file is missing or invalid */
export function readNeeds(file: string): Needs {
  const { value, ...source } = parseYaml(readTextFile(resolve(file), { maxMegabytes: 4, hint }), file);
  assertNoProblems(schemaProblems(schema, value), { subject: file, hint, source });
  return value as Needs;
}
