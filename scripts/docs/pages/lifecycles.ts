import type {
  Lifecycle,
  LifecycleRecord,
  PropertyStates,
  Transition,
} from "../../../generated/schema-types.ts";
import { capitalized, markdownTable } from "../../../lib/text.ts";
import { nameOf } from "../../document/json-pointer.ts";
import { dereference } from "../../document/references.ts";
import type { OpenApiDocument, Schema } from "../../document/types.ts";
import { errorPath, inWords, type Page, schemaPath } from "../page.ts";
import { all, box, cellLines, code, joined, siteLink } from "../text/markdown.ts";
import { mergedIds, requirementNotes } from "../text/requirement-notes.ts";
import { lifecycleDiagram } from "./lifecycle-diagram.ts";

/** The states of messages and memberships, as diagrams and as tables. */
export async function lifecyclesPage(document: OpenApiDocument): Promise<Page> {
  const parts = Object.entries(document["x-lifecycles"]).map(async ([name, lifecycle]) =>
    joined(
      `## ${capitalized(name)}`,
      dereference<Schema>(document, { $ref: lifecycle.schema }).description,
      lifecycle.description,
      requirementNotes(lifecycle),
      await lifecycleDiagram(name, lifecycle),
      transitionTable(document, lifecycle),
      ...(lifecycle.records ?? []).map((record) => recordTable(document, record)),
    ),
  );
  const description = "The states of a message and of a membership, and what changes them.";
  return {
    path: "lifecycles",
    source: "openapi/lifecycles.yaml",
    title: "Lifecycles",
    description,
    text: joined(description, ...(await Promise.all(parts))),
  };
}

function transitionTable(document: OpenApiDocument, lifecycle: Lifecycle): string {
  const rows = lifecycle.transitions.map((transition) => [
    cellLines(transition.on, transition.when && `*${transition.when}*`),
    transition.from === null ? "(new)" : transition.from.map(code).join(", "),
    target(document, transition),
    cellLines(setBy(lifecycle, transition), transition.effect, requirementNotes(transition)),
  ]);
  return box("transitions", markdownTable(["Event", "From", "To", "Effect"], rows));
}

function target(document: OpenApiDocument, transition: Transition): string {
  const { to, error, "x-leaves-unspecified": unspecified } = transition;
  const row = document["x-errors"].find(({ type }) => type !== null && type === error);
  if (row !== undefined) return `error ${siteLink(`${row.status} ${row.type}`, errorPath(row))}`;
  if (to !== null) return code(to);
  return unspecified === undefined ? "(unchanged)" : "(unspecified)";
}

/** The states in which the properties of a kind of record are set and null. */
function recordTable(document: OpenApiDocument, record: LifecycleRecord): string {
  const { state, properties, schema: $ref } = record;
  const path = schemaPath(nameOf($ref), dereference<Schema>(document, { $ref }));
  const head = ["Property", `Set if ${code(state)} is`, `Null if ${code(state)} is`];
  const byName = Object.groupBy(properties, ({ property }) => property);
  const rows = Object.entries(byName).map(([property, own = []]) => [
    cellLines(code(property), requirementNotes(mergedIds(...own))),
    cellLines(...own.map((row) => states(document, row.set, row))),
    cellLines(...own.map((row) => states(document, row.unset, row))),
  ]);
  return joined(
    `Properties of a ${siteLink(titleOf(record), path)}. In other states they are unspecified.`,
    box("records", markdownTable(head, rows)),
  );
}

const titleOf = ({ schema: $ref }: LifecycleRecord): string => inWords(nameOf($ref)).toLowerCase();

function states(
  document: OpenApiDocument,
  listed: string[] | "all" | undefined,
  { unless = {} }: PropertyStates,
): string {
  if (listed === undefined) return "";
  const exceptions = Object.entries(unless).map(
    ([name, not]) => `, unless ${code(name)} ${valueText(document, String(not))}`,
  );
  return `${listed === "all" ? "any" : listed.map(code).join(", ")}${exceptions.join("")}`;
}

const valueText = (document: OpenApiDocument, value: string): string =>
  value.startsWith("#/")
    ? `starts with ${code(dereference<Schema>(document, { $ref: value })["x-prefix"] ?? "")}`
    : `is ${code(value)}`;

/** The properties that a transition sets: those that its new state has and one of the states before has not. */
function setBy({ records = [] }: Lifecycle, { from, to }: Transition): string | undefined {
  if (to === null) return undefined;
  const lists = records.flatMap((record, index) => {
    const names = record.properties
      .filter(({ set = [] }) => set.includes(to) && !(from?.every((state) => set.includes(state)) ?? false))
      .map(({ property }) => code(property));
    // The first record is the one that the lifecycle is of.
    const owner = index === 0 ? "" : ` of the ${titleOf(record)}`;
    return names.length === 0 ? [] : [`${all(names)}${owner}`];
  });
  return lists.length === 0 ? undefined : `Sets ${lists.join(", and ")}.`;
}
