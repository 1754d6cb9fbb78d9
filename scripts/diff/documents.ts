import { operationsOf } from "../document/operations.ts";
import type { Node } from "../document/values.ts";
import { type Change, type Direction, namesInBoth, namesOf, namesOnlyIn, Pair, same } from "./change.ts";
import { type Comparison, classify } from "./comparison.ts";
import {
  compareHeader,
  compareParameter,
  comparePaths,
  compareRequestBody,
  compareResponse,
  compareSecurity,
} from "./paths.ts";
import { compareSchema } from "./schema.ts";
import { compareLifecycle, compareRows, compareTables, listed, tableKeys } from "./tables.ts";
import { type Usage, usagesOf } from "./usage.ts";

/** Compares two bundles and classifies every difference: breaking, additive or editorial. */
export const diff = (base: Node, revision: Node): Comparison =>
  classify(findChanges(base, revision), base, revision);

const known = [
  ...tableKeys,
  ..."info servers security tags paths webhooks components".split(" "),
  ...["x-lifecycles", "x-gateway-responses", "x-generated"],
];

/** Every change between two bundles, once for each direction that its path is used in. */
export function findChanges(base: Node, revision: Node): Change[] {
  const context = { base, revision, changes: [], compared: new Map() };
  const root = new Pair({ context, before: base, after: revision, path: [] });
  root.child("info").compareRest([], { version: "document-version" });
  compareRows(root, "servers", (list) => listed(list, "url"), "server", compareServer);
  compareTopSecurity(root);
  const tags = { added: "tag-changed", removed: "tag-changed" };
  compareRows(root, "tags", (list) => listed(list, "name"), tags, compareTag);
  comparePaths(root.child("paths"));
  const webhooks = root.child("webhooks");
  webhooks.compareEntries({ added: "webhook-added", removed: "webhook-removed" }, (_, name) =>
    webhooks.reportKey(name, "unknown-keyword"),
  );
  compareComponents(root.child("components"));
  const statuses = { added: "error-status-added", removed: "error-status-removed" };
  root
    .child("x-gateway-responses")
    .compareEntries(statuses, (response) => response.compareReferenced(compareResponse));
  compareTables(root);
  const lifecycles = { added: "lifecycle-added", removed: "lifecycle-removed" };
  root.child("x-lifecycles").compareEntries(lifecycles, compareLifecycle);
  root.compareRest(known, { openapi: "document-version" });
  // One in a schema that is reached in several ways is there for each of them.
  return [...new Set(root.context.changes)];
}

/** Compares what operations inherit. If none does in both documents, each operation shows what changes for it. */
function compareTopSecurity(root: Pair): void {
  const { base, revision } = root.context;
  const inheriting = (document: Node): string[] =>
    operationsOf(document).flatMap(({ id, operation }) => ("security" in operation ? [] : [id]));
  const still = inheriting(revision);
  const [before, after] = [{ security: base.security ?? [] }, { security: revision.security ?? [] }];
  const pair = root.with({ before, after });
  if (operationsOf(base).length === 0 || inheriting(base).some((id) => still.includes(id)))
    compareSecurity(pair);
  else if (!same(before, after)) pair.reportKey("security", "schema-rewritten", { name: "every operation" });
}

function compareServer(pair: Pair): void {
  const variables = pair.child("variables");
  for (const name of namesOf(variables.before, variables.after)) {
    const variable = variables.child(name);
    for (const key of ["default", "enum"])
      if (!same(variable.before[key], variable.after[key]))
        variable.reportKey(key, "server-changed", { name });
    variable.compareRest(["default", "enum"]);
  }
  pair.compareFlag("x-internal", { set: "server-removed", unset: "server-added" });
  pair.compareRest(["url", "variables", "x-internal"]);
}

/** A tag may name what its operations require of the account, and their error types. */
function compareTag(pair: Pair): void {
  const kinds = { set: "verified-domain-required", unset: "verified-domain-waived" };
  pair.compareFlag("x-requires-verified-domain", kinds, { name: String(pair.after.name) });
  pair.compareNames("x-error-types", "tag-error");
  pair.compareRest(["name", "x-requires-verified-domain", "x-error-types"], {
    "x-product": "x-product" in pair.after ? "product-required" : "product-waived",
  });
}

const comparisons: Record<string, (pair: Pair) => void> = {
  responses: compareResponse,
  headers: compareHeader,
  parameters: compareParameter,
  requestBodies: compareRequestBody,
  securitySchemes: compareScheme,
};
/** Path items are compared where they are used. */
const kinds = [...Object.keys(comparisons), "schemas", "examples", "pathItems"];

/**
 * Compares the components that both documents have, schemas once per direction. A component that is added or removed
 * matters where it is used; one that no operation uses is a part of the contract by itself.
 */
function compareComponents(pair: Pair): void {
  const usages = [usagesOf(pair.context.base), usagesOf(pair.context.revision)];
  for (const kind of kinds) {
    const components = pair.child(kind);
    for (const name of namesOnlyIn(components.before, components.after)) {
      const isUsed = (usages[0]?.get(`${kind}/${name}`)?.operations.size ?? 0) > 0;
      const isContract = !isUsed && kind !== "examples";
      components.reportKey(name, isContract ? "unreferenced-component-removed" : "component-removed");
    }
    const both = namesInBoth(components.before, components.after);
    const before = Object.fromEntries(both.map((name) => [name, components.before[name]]));
    const added = { added: "component-added", removed: "component-removed" };
    components.with({ before }).compareEntries(added, (component, name) => {
      if (kind === "examples") components.reportKey(name, "example-changed");
      else if (kind === "pathItems") return;
      else if (kind !== "schemas") component.compareReferenced(comparisons[kind] ?? (() => {}));
      else
        for (const direction of directionsOf(`${kind}/${name}`, usages))
          compareSchema(components, name, direction);
    });
  }
  pair.compareRest(kinds);
}

/** What the base uses a component for; for one that only the revision uses, what that does. */
function directionsOf(name: string, usages: Map<string, Usage>[]): Iterable<Direction> {
  const used = usages
    .map((all) => all.get(name)?.directions)
    .find((directions) => (directions?.size ?? 0) > 0);
  // An unused one describes a response that the document does not list.
  return used ?? ["response"];
}

function compareScheme(pair: Pair): void {
  const keys = ["type", "scheme", "in", "name", "bearerFormat", "flows", "openIdConnectUrl"];
  pair.compareRest([], Object.fromEntries(keys.map((key) => [key, "authentication-changed"])));
}
