import { entriesOf } from "../../../scripts/document/values.ts";
import type { Rule } from "../rule.ts";

export const rule: Rule = {
  description:
    "Components of different kinds have different names: several generators write them to one namespace.",
  *check({ components }) {
    const kinds = new Map<string, string>();
    for (const [kind, group] of entriesOf(components))
      for (const name of Object.keys(group)) {
        // Links and examples do not become types.
        if (kind === "examples" || kind === "links") continue;
        const key = name.toLowerCase();
        const other = kinds.get(key);
        if (other === undefined) kinds.set(key, kind);
        else
          yield {
            path: ["components", kind, name],
            message: `Rename the component ${name}: components/${other} has this name too.`,
          };
      }
  },
};
