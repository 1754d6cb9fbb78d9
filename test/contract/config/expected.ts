import { resolve } from "node:path";
import { requirements } from "../../../generated/requirements.ts";
import schema from "./expected.schema.json" with { type: "json" };
import { type Fault, faultsBy, refuse } from "./faults.ts";
import { readSource } from "./source.ts";

/** A requirement that is known to fail. */
export interface ExpectedFailure {
  id: string;
  /** Why it fails. */
  reason: string;
}

const hint = "Each entry has the id of a requirement and a reason: `- { id: SEND-9, reason: ... }`.";

/**
 * Reads a list of expected failures, in YAML or JSON or as a module's default export. An empty file is an empty list.
 *
 * @throws Failure with exit status 2 that names every wrong place: ids that are not known, entries that stand twice
 */
export async function loadExpected(file: string): Promise<ExpectedFailure[]> {
  const source = await readSource(resolve(file));
  const value = source.value ?? [];
  const faults = faultsBy(schema, value);
  refuse(faults.length > 0 ? faults : wrongIds(value as ExpectedFailure[]), source, hint);
  return value as ExpectedFailure[];
}

function wrongIds(entries: readonly ExpectedFailure[]): Fault[] {
  return entries.flatMap(({ id }, index) => {
    const path = [index, "id"];
    if (!Object.hasOwn(requirements, id)) return [{ path, says: `is no requirement: ${id}` }];
    const first = entries.findIndex((entry) => entry.id === id);
    return first === index ? [] : [{ path, says: `is there twice: ${id}` }];
  });
}
