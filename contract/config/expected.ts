import { resolve } from "node:path";
import schema from "../../contract/config/expected.schema.json" with { type: "json" };
import { requirements } from "../../generated/requirements.ts";
import { type Problem, schemaProblems } from "../../lib/schema-errors.ts";
import { readSource, rejectSource } from "./source.ts";

/** A requirement that is known to fail. */
export interface ExpectedFailure {
  id: string;
  reason: string;
}

const hint = "Each entry has the id of a requirement and a reason: `- { id: SEND-9, reason: ... }`.";

/**
 * Reads a list of expected failures from YAML or JSON. An empty file is an empty list.
 * @throws UserError with exit code 2 that lists the problems, such as unknown or duplicate ids
 */
export async function loadExpected(file: string): Promise<ExpectedFailure[]> {
  const source = await readSource(resolve(file), {
    example: "expected-failures.yaml",
    isModuleAllowed: false,
  });
  const value = source.value ?? [];
  const problems = schemaProblems(schema, value, { hideValues: true });
  rejectSource(problems.length > 0 ? problems : invalidIds(value as ExpectedFailure[]), source, hint);
  return value as ExpectedFailure[];
}

function invalidIds(entries: readonly ExpectedFailure[]): Problem[] {
  return entries.flatMap(({ id }, index) => {
    const path = [index, "id"];
    if (!Object.hasOwn(requirements, id)) return [{ path, message: `is not a requirement: ${id}` }];
    const first = entries.findIndex((entry) => entry.id === id);
    return first === index ? [] : [{ path, message: `is a duplicate: ${id}` }];
  });
}
