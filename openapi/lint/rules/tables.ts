import { describePath, schemaProblems } from "../../../lib/schema-errors.ts";
import { errorRows } from "../../../scripts/document/errors.ts";
import { pathOf, valueAt, valueAtPointer } from "../../../scripts/document/json-pointer.ts";
import { schemaLimits } from "../../../scripts/document/limits.ts";
import { abilitiesOf, operationsOf, tagsOf } from "../../../scripts/document/operations.ts";
import { resolveSchema } from "../../../scripts/document/references.ts";
import { listedRows, marks, requirementRows } from "../../../scripts/document/requirements.ts";
import {
  listOf,
  type Node,
  namedRows,
  nodeOf,
  type Path,
  rowsOf,
  textOf,
  textsOf,
} from "../../../scripts/document/values.ts";
import schema from "../../tables.schema.json" with { type: "json" };
import { finding, type Rule, type RuleFinding, ruleForEach } from "../rule.ts";

export const tablesWellFormed: Rule = {
  description: "The tables of the document are as openapi/tables.schema.json describes them.",
  *check(document) {
    for (const { path, message } of schemaProblems(schema, document))
      yield finding([...path], `Correct ${describePath(path)}: it ${message}.`);
  },
};

export const abilitiesConsistent = ruleForEach(namedRows("x-abilities"), {
  description:
    "Every ability is needed by an operation or marked as unspecified; its list of operations is correct.",
  *check({ name: ability, row }, document) {
    const users = operationsOf(document)
      .filter(({ operation }) => abilitiesOf(operation).includes(ability))
      .map(({ id }) => id);
    if (users.length === 0 && textsOf(row["x-leaves-unspecified"]).length === 0)
      yield `Mark the ability ${ability} with x-leaves-unspecified, or remove it: no operation needs it.`;
    if (row.operations === undefined) return;
    const listed = textsOf(listOf(row.operations));
    for (const name of users)
      if (!listed.includes(name))
        yield `Add ${name} to the operations of the ability ${ability}: its security names it.`;
    for (const name of listed)
      if (!users.includes(name))
        yield `Remove ${name} from the operations of the ability ${ability}: its security does not name it.`;
  },
});

export const limitsResolve = ruleForEach(namedRows("x-limits"), {
  description:
    "Every limit that points to a schema keyword has its number there; its error exists, and is the same for every keyword.",
  *check({ name, row: { schema, keyword, error } }, document) {
    const target = textOf(schema);
    const number = schemaLimits(document).find((limit) => limit.name === name)?.value;
    if (keyword !== undefined && typeof number !== "number")
      yield `Correct schema and keyword of the limit ${name}: there is no number ${keyword} there.`;
    if (keyword === undefined && target !== "" && valueAtPointer(document, target) === undefined)
      yield `Correct schema of the limit ${name}: there is no ${target}.`;
    if (error === undefined) return;
    if (!rowsOf(document["x-errors"]).some(([, { id }]) => id === error))
      yield `Correct error of the limit ${name}: no row of x-errors has the id ${error}.`;
    // Whatever keyword a value violates, it is an invalid value.
    const ofKeywords = namedRows("x-limits")(document).filter(({ row }) => row.keyword !== undefined);
    const first = ofKeywords.map(({ row }) => row.error).find((one) => one !== undefined);
    if (keyword !== undefined && error !== first)
      yield `Correct error of the limit ${name}: that of other keywords is ${first}.`;
  },
});

/** The rows of every table that lists operations. */
const rows = (document: Node): { path: Path; row: Node }[] => [
  ...["x-errors", "x-unspecified"].flatMap((table) => listedRows(document, [table])),
  ...requirementRows(document),
  ...namedRows("x-abilities")(document),
];

export const operationsKnown: Rule = {
  description: "Tables and headers name only operations that exist.",
  *check(document) {
    const known = new Set(operationsOf(document).map(({ id }) => id));
    for (const { path, row } of rows(document))
      for (const name of textsOf(row.operations))
        if (!known.has(name))
          yield unknownOperation([...path, "operations"], name, `the operations of ${row.id ?? path.at(-1)}`);
    for (const { path, id } of marks(document, "x-operations")) {
      const header = path[path.lastIndexOf("x-operations") - 1];
      if (!known.has(id)) yield unknownOperation(path, id, `x-operations of the header ${header}`);
    }
  },
};

const unknownOperation = (path: Path, name: string, list: string): RuleFinding =>
  finding(path, `Correct ${name} in ${list}: no operation has this operationId.`);

export const productsConsistent = ruleForEach(operationsOf, {
  description: "Operations with a 402 are exactly those whose tag names a product in x-product.",
  *check(operation, document) {
    const tags = rowsOf(document.tags).filter(([, tag]) => textOf(tag["x-product"]) !== "");
    const named = tags.map(([, tag]) => textOf(tag.name));
    const gated = errorRows(document)
      .filter(({ status }) => status === "402")
      .flatMap((row) => row.operations);
    const needs = tagsOf(operation).some((tag) => named.includes(tag));
    if (needs && !gated.includes(operation.id))
      yield `Add ${operation.id} to the error row of status 402: its tag names a product.`;
    if (!needs && gated.includes(operation.id))
      yield `Add x-product to the tag of ${operation.id}: it has an error row of status 402.`;
  },
});

export const rowIdsUnique: Rule = {
  description: "Every requirement and every unspecified item has a unique id.",
  *check(document) {
    const seen = new Set<unknown>();
    for (const { path, row } of [...requirementRows(document), ...listedRows(document, ["x-unspecified"])]) {
      if (seen.has(row.id))
        yield finding(
          [...path, "id"],
          `Change the id of this row to the next free one of its topic: an earlier row has ${textOf(row.id)}.`,
        );
      seen.add(row.id);
    }
  },
};

const recipients = (document: Node) => listedRows(document, ["x-simulator", "recipients"]);

export const simulatorStatesKnown = ruleForEach(recipients, {
  description: "Simulated recipients lead to states that messages have.",
  *check({ path, row }, document) {
    const lifecycle = nodeOf(valueAt(document, ["x-lifecycles", "message"]));
    const known = textsOf(valueAt(document, [...pathOf(textOf(lifecycle.schema)), "enum"]));
    const [name, states] = [textOf(row.localPart), textsOf(row.states)];
    if (recipients(document).find((one) => textOf(one.row.localPart) === name)?.row !== row)
      yield `Set a unique localPart for recipient ${path.at(-1)} of x-simulator.`;
    for (const state of states)
      if (!known.includes(state))
        yield `Correct the state ${state} of ${name} in x-simulator: messages do not have it.`;
    if (states.length === 0 && textsOf(row["x-leaves-unspecified"]).length === 0)
      yield `Add states to ${name} in x-simulator, or mark it with x-leaves-unspecified.`;
  },
});

const mark = "x-requires-verified-domain";

/** The error of an operation that sends from a domain which is not verified. */
const unverified = "409.send_rejected";

export const verifiedDomainConsistent = ruleForEach((document: Node) => listedRows(document, ["tags"]), {
  description: `A tag has ${mark}: true exactly if an operation of it sends email (row ${unverified}).`,
  *check({ path, row: tag }, document) {
    const sends = errorRows(document).find(({ id }) => id === unverified)?.operations ?? [];
    const send = operationsOf(document).find(
      (operation) => tagsOf(operation).includes(String(tag.name)) && sends.includes(operation.id),
    );
    if (send !== undefined && tag[mark] !== true)
      yield `Add ${mark}: true to the tag ${tag.name}: ${send.id} sends email.`;
    if (send === undefined && tag[mark] !== undefined)
      yield finding(
        [...path, mark],
        `Remove ${mark} from the tag ${tag.name}: no operation of it sends email.`,
      );
  },
});

function* transitionFindings(document: Node, name: string, lifecycle: Node): Iterable<RuleFinding> {
  const states = textsOf(valueAt(document, [...pathOf(textOf(lifecycle.schema)), "enum"]));
  const open = textsOf(listOf(lifecycle.unspecified));
  for (const [index, row] of rowsOf(lifecycle.transitions)) {
    const path = ["x-lifecycles", name, "transitions", index];
    const where = `transition ${index} (${textOf(row.on)}) of ${name}`;
    for (const state of [...textsOf(listOf(row.from)), ...textsOf(row.to)])
      if (!states.includes(state))
        yield finding(path, `Correct the state ${state} in ${where}: the schema does not have it.`);
    if (open.includes(textOf(row.to)))
      yield finding(path, `Remove ${where}: transitions to ${row.to} are unspecified.`);
    if (row.error !== undefined && !errorRows(document).some(({ type }) => type === textOf(row.error)))
      yield finding(path, `Correct the error ${row.error} in ${where}: no row of x-errors has this type.`);
    // A transition that sets a property has an effect already.
    const sets = rowsOf(lifecycle.records)
      .flatMap(([, record]) => rowsOf(record.properties))
      .map(([, { set }]) => listOf(set))
      .some(
        (states) =>
          states.includes(row.to) &&
          !(row.from && textsOf(row.from).every((state) => states.includes(state))),
      );
    if (!sets && textOf(row.effect) === "") yield finding(path, `Add effect to ${where}.`);
  }
}

/** The rows on properties name properties, states and schemas that exist. */
function* propertyFindings(
  document: Node,
  name: string,
  [index, record]: [number, Node],
): Iterable<RuleFinding> {
  const at = ["x-lifecycles", name, "records", index];
  const properties = nodeOf(nodeOf(valueAt(document, pathOf(textOf(record.schema)))).properties);
  const { enum: closed, "x-extensible-enum": open } = resolveSchema(
    document,
    properties[textOf(record.state)],
  );
  const states = [...textsOf(closed), ...textsOf(open)];
  if (states.length === 0)
    return yield finding(
      at,
      `Set schema and state of the records of ${name} to a property with an enum (got ${record.state}).`,
    );
  for (const [row, { property, set, unset, unless }] of rowsOf(record.properties)) {
    const path = [...at, "properties", row];
    const where = `${property} of the records of ${name}`;
    if (!(textOf(property) in properties))
      yield finding(path, `Remove ${where}: the schema does not have it.`);
    const listed = [...textsOf(listOf(set)), ...(unset === "all" ? [] : textsOf(listOf(unset)))];
    for (const [position, state] of listed.entries())
      if (!states.includes(state))
        yield finding(path, `Correct the state ${state} of ${where}: the schema does not have it.`);
      else if (listed.indexOf(state) < position)
        yield finding(path, `List ${state} once in ${where}: it is set or null.`);
    for (const [key, not] of Object.entries(nodeOf(unless)))
      if (typeof not === "string" && valueAt(document, pathOf(not)) === undefined)
        yield finding(path, `Correct ${key} in unless of ${where}: there is no schema ${not}.`);
  }
}

export const lifecycleTablesConsistent = ruleForEach(namedRows("x-lifecycles"), {
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
