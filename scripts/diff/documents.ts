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
  ..."openapi info servers security tags paths webhooks components".split(" "),
  ...["x-lifecycles", "x-gateway-responses", "x-generated"],
];

/** Every change between two bundles, once for each direction that its path is used in. */
export function findChanges(base: Node, revision: Node): Change[] {
  const changes: Change[] = [];
  const tally = { changes: 0 };
  const report = (change: Change): void => {
    tally.changes += 1;
    changes.push(change);
  };
  const context = { base, revision, report, tally, compared: new Map<string, boolean>() };
  const root: Pair = { context, before: base, after: revision, path: [] };
  const info = child(root, "info");
  if (!same(info.before.version, info.after.version)) reportKey(info, "version", "document-version");
  if (!same(base.openapi, revision.openapi)) reportKey(root, "openapi", "document-version");
  compareRest(info, ["version"]);
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
  compareRest(root, known);
  return changes;
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
  if (!same(pair.before["x-product"], pair.after["x-product"]))
    reportKey(pair, "x-product", "x-product" in pair.after ? "product-required" : "product-waived");
  const kinds = { set: "verified-domain-required", unset: "verified-domain-waived" };
  compareFlag(pair, "x-requires-verified-domain", kinds, { name: String(pair.after.name) });
  compareNames(pair, "x-error-types", "tag-error");
  compareRest(pair, ["name", "x-product", "x-requires-verified-domain", "x-error-types"]);
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

const schemeKeys = ["type", "scheme", "in", "name", "bearerFormat", "flows", "openIdConnectUrl"];

function compareScheme(pair: Pair): void {
  for (const key of schemeKeys.filter((one) => !same(pair.before[one], pair.after[one])))
    reportKey(pair, key, "authentication-changed");
  compareRest(pair, schemeKeys);
}
