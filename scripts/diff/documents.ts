import type { Node } from "../document/values.ts";
import {
  type Change,
  child,
  compareEntries,
  compareFlag,
  compareNames,
  compareReferenced,
  compareRest,
  type Direction,
  namesInBoth,
  namesOf,
  namesOnlyIn,
  type Pair,
  reportKey,
  same,
} from "./change.ts";
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
  const root: Pair = { context, before: base, after: revision, path: [] };
  compareRest(child(root, "info"), [], { version: "document-version" });
  compareRows(root, "servers", (list) => listed(list, "url"), "server", compareServer);
  const security = (document: Node): Node => ({ security: document.security ?? [] });
  compareSecurity({ ...root, before: security(base), after: security(revision) });
  const tags = { added: "tag-changed", removed: "tag-changed" };
  compareRows(root, "tags", (list) => listed(list, "name"), tags, compareTag);
  comparePaths(child(root, "paths"));
  const webhooks = child(root, "webhooks");
  compareEntries(webhooks, { added: "webhook-added", removed: "webhook-removed" }, (_, name) =>
    reportKey(webhooks, name, "unknown-keyword"),
  );
  compareComponents(child(root, "components"));
  const statuses = { added: "error-status-added", removed: "error-status-removed" };
  compareEntries(child(root, "x-gateway-responses"), statuses, (response) =>
    compareReferenced(response, compareResponse),
  );
  compareTables(root);
  const lifecycles = { added: "lifecycle-added", removed: "lifecycle-removed" };
  compareEntries(child(root, "x-lifecycles"), lifecycles, compareLifecycle);
  compareRest(root, known, { openapi: "document-version" });
  // One in a schema that is reached in several ways is there for each of them.
  return [...new Set(root.context.changes)];
}

function compareServer(pair: Pair): void {
  const variables = child(pair, "variables");
  for (const name of namesOf(variables.before, variables.after)) {
    const variable = child(variables, name);
    for (const key of ["default", "enum"])
      if (!same(variable.before[key], variable.after[key]))
        reportKey(variable, key, "server-changed", { name });
    compareRest(variable, ["default", "enum"]);
  }
  compareFlag(pair, "x-internal", { set: "server-removed", unset: "server-added" });
  compareRest(pair, ["url", "variables", "x-internal"]);
}

/** A tag may name what its operations require of the account, and their error types. */
function compareTag(pair: Pair): void {
  const kinds = { set: "verified-domain-required", unset: "verified-domain-waived" };
  compareFlag(pair, "x-requires-verified-domain", kinds, { name: String(pair.after.name) });
  compareNames(pair, "x-error-types", "tag-error");
  compareRest(pair, ["name", "x-requires-verified-domain", "x-error-types"], {
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
    const components = child(pair, kind);
    for (const name of namesOnlyIn(components.before, components.after)) {
      const isUsed = (usages[0]?.get(`${kind}/${name}`)?.operations.size ?? 0) > 0;
      const isContract = !isUsed && kind !== "examples";
      reportKey(components, name, isContract ? "unreferenced-component-removed" : "component-removed");
    }
    const both = namesInBoth(components.before, components.after);
    const before = Object.fromEntries(both.map((name) => [name, components.before[name]]));
    const added = { added: "component-added", removed: "component-removed" };
    compareEntries({ ...components, before }, added, (component, name) => {
      if (kind === "examples") reportKey(components, name, "example-changed");
      else if (kind === "pathItems") return;
      else if (kind !== "schemas") compareReferenced(component, comparisons[kind] ?? (() => {}));
      else
        for (const direction of directionsOf(`${kind}/${name}`, usages))
          compareSchema(components, name, direction);
    });
  }
  compareRest(pair, kinds);
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
  compareRest(pair, [], Object.fromEntries(keys.map((key) => [key, "authentication-changed"])));
}
