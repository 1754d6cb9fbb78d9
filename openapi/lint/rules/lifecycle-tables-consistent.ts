import { errorRows } from "../../../scripts/document/error-rows.ts";
import { pathOf, valueAt } from "../../../scripts/document/json-pointer.ts";
import { listOf, type Node, namedRows, rowsOf, textOf, textsOf } from "../../../scripts/document/values.ts";
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
    for (const key of ["on", "effect"])
      if (textOf(row[key]) === "") yield { path, message: `Add ${key} to ${where}.` };
  }
}

export const rule = ruleForEach(namedRows("x-lifecycles"), {
  description: "Lifecycle tables agree with the schemas of the states and with the error table.",
  *check({ name, row: lifecycle }, document) {
    yield* transitionFindings(document, name, lifecycle);
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
