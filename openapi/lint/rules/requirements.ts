import { pointerOf, valueAt } from "../../../scripts/document/json-pointer.ts";
import {
  existing,
  listedRows,
  marks,
  requirementRows,
  unspecifiedPlaces,
} from "../../../scripts/document/requirements.ts";
import { entriesOf, everyText, type Node, type Path } from "../../../scripts/document/values.ts";
import { finding, type Rule, ruleForEach } from "../rule.ts";

/** A rule for the ids in an extension, which are those of the rows of a table. */
const idsKnown = (extension: string, table: string, rows: (document: Node) => { row: Node }[]): Rule => ({
  description: `${extension} names rows of ${table}.`,
  *check(document) {
    const known = new Set(rows(document).map(({ row }) => row.id));
    for (const { path, id } of marks(document, extension))
      if (!known.has(id))
        yield finding(path, `Correct ${id} in ${extension}, or add a row with this id to ${table}.`);
  },
});

export const requirementIdsKnown = idsKnown("x-encodes", "x-requirements", requirementRows);

export const unspecifiedIdsKnown = idsKnown("x-leaves-unspecified", "x-unspecified", (document) =>
  listedRows(document, ["x-unspecified"]),
);

/** The last name of the path, or the value if it is an item of a list. */
const display = (document: Node, path: Path): string => {
  const name = path.at(-1);
  return typeof name === "number" ? JSON.stringify(valueAt(document, path)) : String(name);
};

export const unspecifiedStaysAbsent = ruleForEach(unspecifiedPlaces, {
  description: "Nothing defines what is unspecified.",
  *check({ id, text, absent }, document) {
    for (const pattern of absent)
      for (const path of existing(document, pattern))
        yield finding(path, `Remove ${display(document, path)}: ${id} leaves it unspecified (${text})`);
  },
});

/** How many segments of a pointer name the part of the document that it goes into. */
const owners: Record<string, number> = { paths: 3, components: 3 };

export const absentPathsExist = ruleForEach(unspecifiedPlaces, {
  description: "The parent of every path that must stay absent exists.",
  *check({ id, absent }, document) {
    for (const pattern of absent) {
      const owner = pattern.slice(0, owners[pattern[0] ?? ""] ?? 0);
      if (pattern.length > owner.length && existing(document, owner).length === 0)
        yield `Correct ${pointerOf(pattern)} in absent of ${id}: there is no ${pointerOf(owner)}.`;
    }
  },
});

const components = (document: Node) =>
  entriesOf(document.components).flatMap(([kind, group]) =>
    entriesOf(group).map(([name, component]) => ({
      path: ["components", kind, name],
      kind,
      name,
      component,
    })),
  );

/** Links and examples do not become types. */
const namesOfTypes = (document: Node) =>
  components(document).filter(({ kind }) => kind !== "examples" && kind !== "links");

export const componentNamesUnique = ruleForEach(namesOfTypes, {
  description:
    "Components of different kinds have different names: several generators write them to one namespace.",
  *check({ kind, name }, document) {
    const first = namesOfTypes(document).find((one) => one.name.toLowerCase() === name.toLowerCase());
    if (first?.kind !== kind || first.name !== name)
      yield `Rename the component ${name}: components/${first?.kind} has this name too.`;
  },
});

export const componentsUsed = ruleForEach(components, {
  description: "Every component is referenced, or encodes a requirement (x-encodes).",
  *check({ path, kind, name, component }, document) {
    const reference = `#${pointerOf(path)}`;
    const isReferred = everyText(document).some(
      (one) => one.path.at(-1) === "$ref" && one.text === reference,
    );
    if (kind !== "securitySchemes" && !isReferred && marks(component, "x-encodes").length === 0)
      yield `Reference ${name}, remove it, or add x-encodes with the requirement it encodes.`;
  },
});
