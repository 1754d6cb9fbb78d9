import { displayPath, readTextFile } from "../../lib/files.ts";
import { rejectProblems, schemaProblems } from "../../lib/schema-errors.ts";
import { parseYaml, type YamlSource } from "../../lib/yaml-source.ts";
import { referenceProblems } from "./references.ts";
import schema from "./seed.schema.json" with { type: "json" };
import type { Seed } from "./seed.ts";

const hint = "See the schema sandbox/seed/seed.schema.json and the example sandbox/seed/demo.json.";

/**
 * Reads a seed from a YAML or JSON file.
 *
 * @throws UserError that lists every problem with its line
 */
export function readSeed(path: string): Seed {
  const text = readTextFile(path, { maxMegabytes: 16, hint: "Give --seed the path of a YAML or JSON file." });
  const source = parseYaml(text, displayPath(path), { hint });
  return checkSeed(source.value, source);
}

/**
 * Validates a seed: its schema, unique names, and references.
 *
 * @throws UserError that lists every problem
 */
export function checkSeed(value: unknown, source?: YamlSource): Seed {
  const problems = schemaProblems(schema, value);
  rejectProblems(problems.length > 0 ? problems : referenceProblems(value as Seed), {
    subject: source === undefined ? "the seed" : `the seed ${source.name}`,
    hint,
    ...(source !== undefined && { source }),
  });
  return value as Seed;
}
