import { resolveSchema } from "../document/references.ts";
import { listOf, type Node, nodeOf, type Path, textOf } from "../document/values.ts";
import { type Context, compareFlag, type Pair, reportKey, same } from "./change.ts";
import { compareReferenced, compareRest } from "./rest.ts";
import { compareSchema } from "./schema.ts";

const serialization = ["style", "explode", "allowReserved", "allowEmptyValue", "content"];
const known = [...serialization, "$ref", "name", "in", "required", "schema", "deprecated"];

/** A parameter of an operation: as it is listed, and with its `$ref` resolved. */
interface Listed {
  path: Path;
  given: Node;
  parameter: Node;
}

/** Compares the parameters of an operation, its own and those of its path, by location and name. */
export function compareParameters(operation: Pair, item: Pair): void {
  const { context } = operation;
  const old = parametersOf(context.base, [item.before, operation.before], [item.path, operation.path]);
  const now = parametersOf(context.revision, [item.after, operation.after], [item.path, operation.path]);
  for (const [key, { given: before }] of old) {
    const other = now.get(key);
    if (other === undefined || same(before, other.given)) continue;
    compareReferenced({ context, before, after: other.given, path: other.path }, compareParameter);
  }
  const added = [...now].filter(([key]) => !old.has(key)).map(([, one]) => one);
  for (const one of [...old].filter(([key]) => !now.has(key)).map(([, removed]) => removed)) {
    const index = added.findIndex((other) => isRenamed(one.parameter, other.parameter));
    const renamed = index < 0 ? undefined : added.splice(index, 1)[0];
    if (renamed !== undefined) reportRenamed(context, one, renamed);
    else report(context, one, "base", "parameter-removed");
  }
  for (const one of added) {
    const obligation = one.parameter.required === true ? "required" : "optional";
    report(context, one, "revision", `${obligation}-parameter-added`);
  }
}

function parametersOf(document: Node, owners: Node[], paths: Path[]): Map<string, Listed> {
  const listed = owners.flatMap((owner, at) =>
    listOf(owner.parameters).map((given, index): Listed => {
      const path = [...(paths[at] ?? []), "parameters", index];
      return { path, given: nodeOf(given), parameter: resolveSchema(document, given) };
    }),
  );
  return new Map(listed.map((one) => [keyOf(one.parameter), one]));
}

/** Header names are case-insensitive. */
const keyOf = (parameter: Node): string =>
  `${textOf(parameter.in)} ${parameter.in === "header" ? textOf(parameter.name).toLowerCase() : textOf(parameter.name)}`;

const isRenamed = (one: Node, other: Node): boolean =>
  one.in === other.in &&
  same(one.schema, other.schema) &&
  (one.required === true) === (other.required === true);

function report(
  context: Context,
  { path, parameter }: Listed,
  document: "base" | "revision",
  kind: string,
): void {
  context.report({ kind, path, document, name: textOf(parameter.name) });
}

function reportRenamed(context: Context, one: Listed, { path, parameter }: Listed): void {
  const [before, after] = [textOf(one.parameter.name), textOf(parameter.name)];
  context.report({ kind: "parameter-renamed", path, document: "revision", name: before, before, after });
}

/** Compares two parameters. */
export function compareParameter(pair: Pair): void {
  const { context, before, after, path } = pair;
  const name = textOf(after.name);
  if (before.name !== after.name)
    reportKey(pair, "name", keyOf(before) === keyOf(after) ? "header-case-changed" : "parameter-renamed");
  if (before.in !== after.in) reportKey(pair, "in", "parameter-moved");
  compareFlag(pair, "required", { set: "parameter-required", unset: "parameter-optional" }, { name });
  compareFlag(pair, "deprecated", { set: "deprecated", unset: "deprecation-withdrawn" });
  for (const key of serialization.filter((one) => !same(before[one], after[one])))
    reportKey(pair, key, "parameter-style-changed");
  if ("schema" in before || "schema" in after)
    compareSchema(context, [before.schema, after.schema], [...path, "schema"], "request");
  compareRest(pair, known);
}
