import { errorRows } from "../../../scripts/document/errors.ts";
import { pathOf, valueAt } from "../../../scripts/document/json-pointer.ts";
import { resolveSchema } from "../../../scripts/document/references.ts";
import {
  listOf,
  type Node,
  namedRows,
  nodeOf,
  rowsOf,
  textOf,
  textsOf,
} from "../../../scripts/document/values.ts";
import { type RuleFinding, ruleForEach } from "../rule.ts";

function* transitionFindings(document: Node, name: string, lifecycle: Node): Iterable<RuleFinding> {
  const states = textsOf(valueAt(document, [...pathOf(textOf(lifecycle.schema)), "enum"]));
  const open = textsOf(listOf(lifecycle.unspecified));
  const types = errorRows(document).map(({ type }) => type);
  for (const [index, row] of rowsOf(lifecycle.transitions)) {
    const path = ["x-lifecycles", name, "transitions", index];
    const where = `transition ${index} (${textOf(row.on)}) of ${name}`;
    for (const state of [...textsOf(listOf(row.from)), ...textsOf(row.to)])
      if (!states.includes(state))
        yield { path, message: `Correct the state ${state} in ${where}: the schema does not have it.` };
    if (open.includes(textOf(row.to)))
      yield { path, message: `Remove ${where}: transitions to ${row.to} are unspecified.` };
    if (row.error !== undefined && !types.includes(textOf(row.error)))
      yield {
        path,
        message: `Correct the error ${row.error} in ${where}: no row of x-errors has this type.`,
      };
    // A transition that sets a property has an effect already.
    const sets = rowsOf(lifecycle.records)
      .flatMap(([, record]) => rowsOf(record.properties))
      .map(([, { set }]) => listOf(set))
      .some(
        (states) =>
          states.includes(row.to) &&
          !(row.from && textsOf(row.from).every((state) => states.includes(state))),
      );
    for (const key of sets ? ["on"] : ["on", "effect"])
      if (textOf(row[key]) === "") yield { path, message: `Add ${key} to ${where}.` };
  }
}

/** The rows on properties name properties, states and schemas that exist. */
function* propertyFindings(
  document: Node,
  name: string,
  [index, record]: [number, Node],
): Iterable<RuleFinding> {
  const at = ["x-lifecycles", name, "records", index];
  const schema = nodeOf(valueAt(document, pathOf(textOf(record.schema))));
  const properties = nodeOf(schema.properties);
  const { enum: closed, "x-extensible-enum": open } = resolveSchema(
    document,
    properties[textOf(record.state)],
  );
  const states = [...textsOf(closed), ...textsOf(open)];
  if (states.length === 0)
    return yield {
      path: at,
      message: `Set schema and state of the records of ${name} to a property with an enum (got ${record.state}).`,
    };
  for (const [row, { property, set, unset, unless }] of rowsOf(record.properties)) {
    const path = [...at, "properties", row];
    const where = `${property} of the records of ${name}`;
    if (!(textOf(property) in properties))
      yield { path, message: `Remove ${where}: the schema does not have it.` };
    const listed = [...textsOf(listOf(set)), ...(unset === "all" ? [] : textsOf(listOf(unset)))];
    if (listed.length === 0 && unset !== "all") yield { path, message: `Add set or unset to ${where}.` };
    for (const [position, state] of listed.entries())
      if (!states.includes(state))
        yield { path, message: `Correct the state ${state} of ${where}: the schema does not have it.` };
      else if (listed.indexOf(state) < position)
        yield { path, message: `List ${state} once in ${where}: it is set or null.` };
    for (const [key, not] of Object.entries(nodeOf(unless)))
      if (typeof not === "string" && valueAt(document, pathOf(not)) === undefined)
        yield { path, message: `Correct ${key} in unless of ${where}: there is no schema ${not}.` };
  }
}

export const rule = ruleForEach(namedRows("x-lifecycles"), {
  description: "Lifecycle tables agree with the schemas of the states and with the error table.",
  *check({ name, row: lifecycle }, document) {
    yield* transitionFindings(document, name, lifecycle);
    for (const record of rowsOf(lifecycle.records)) yield* propertyFindings(document, name, record);
    const states = textsOf(valueAt(document, [...pathOf(textOf(lifecycle.schema)), "enum"]));
    const open = textsOf(listOf(lifecycle.unspecified));
    const rows = rowsOf(lifecycle.transitions).map(([, row]) => row);
    const reached = rows.flatMap(({ from, to }) => [...textsOf(listOf(from)), ...textsOf(to)]);
    if (states.length === 0) yield `Point schema of ${name} to a schema with an enum of its states.`;
    for (const state of states)
      if (!reached.includes(state) && !open.includes(state))
        yield `Add a transition with the state ${state} to ${name}, or add it to unspecified.`;
    for (const state of open)
      if (!states.includes(state))
        yield `Remove ${state} from unspecified of ${name}: the schema does not have it.`;
  },
});
