import { child, compareEntries, namesInBoth, namesOnlyIn, type Pair, reportKey, same } from "./change.ts";
import { compareParameter } from "./parameters.ts";
import { compareHeader, compareResponse } from "./responses.ts";
import { compareReferenced, compareRest } from "./rest.ts";
import { compareSchema } from "./schema.ts";
import type { Direction } from "./schema-pair.ts";
import { type Usage, usagesOf } from "./usage.ts";

const comparisons: Record<string, (pair: Pair) => void> = {
  responses: compareResponse,
  headers: compareHeader,
  parameters: compareParameter,
  securitySchemes: compareScheme,
};
const schemaKinds = ["schemas", "requestBodies"];
const kinds = [...Object.keys(comparisons), ...schemaKinds, "examples"];

/**
 * Compares the components that both documents have, schemas once per direction. A component that is added or removed
 * matters where it is used; one that no operation uses is a part of the contract by itself.
 */
export function compareComponents(pair: Pair): void {
  const usages = [usagesOf(pair.context.base), usagesOf(pair.context.revision)];
  for (const kind of kinds) {
    const components = child(pair, kind);
    for (const name of namesOnlyIn(components.before, components.after)) {
      const isUsed = (usages[0]?.get(`${kind}/${name}`)?.operations.size ?? 0) > 0;
      const isContract = !isUsed && kind !== "examples";
      reportKey(components, name, isContract ? "unreferenced-component-removed" : "component-removed");
    }
    const kept = namesInBoth(components.before, components.after).map((name) => [
      name,
      components.before[name],
    ]);
    const added = { added: "component-added", removed: "component-removed" };
    compareEntries({ ...components, before: Object.fromEntries(kept) }, added, (component, name) => {
      if (kind === "examples") reportKey(components, name, "example-changed");
      else if (!schemaKinds.includes(kind)) compareReferenced(component, comparisons[kind] ?? (() => {}));
      else
        for (const direction of directionsOf(`${kind}/${name}`, usages)) {
          const { context, path } = component;
          compareSchema(context, [components.before[name], components.after[name]], path, direction);
        }
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
