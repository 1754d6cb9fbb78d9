import { pointerOf } from "../../../scripts/document/json-pointer.ts";
import { marks } from "../../../scripts/document/requirements.ts";
import { entriesOf, everyText, type Node } from "../../../scripts/document/values.ts";
import type { Rule } from "../rule.ts";

/** Whether the component, or a part of it, encodes a requirement. */
const encodes = (component: Node): boolean => marks(component, "x-encodes").length > 0;

export const rule: Rule = {
  description: "Every component is referenced, or encodes a requirement (x-encodes).",
  *check(document) {
    const referred = new Set(
      everyText(document)
        .filter(({ path }) => path.at(-1) === "$ref")
        .map(({ text }) => text),
    );
    for (const [kind, components] of entriesOf(document.components)) {
      if (kind === "securitySchemes") continue;
      for (const [name, component] of entriesOf(components)) {
        const path = ["components", kind, name];
        if (!referred.has(`#${pointerOf(path)}`) && !encodes(component))
          yield {
            path,
            message: `Reference ${name}, remove it, or add x-encodes with the requirement it encodes.`,
          };
      }
    }
  },
};
