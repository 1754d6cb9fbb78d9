import { pointerOf } from "../../../scripts/document/json-pointer.ts";
import { entriesOf, type Node } from "../../../scripts/document/values.ts";
import { everyText, marks } from "../../../scripts/document/walk.ts";
import type { Rule } from "../rule.ts";

/** Whether the component, or a part of it, encodes a requirement. */
const promises = (component: Node): boolean => marks(component, "x-encodes").length > 0;

export const rule: Rule = {
  description: "Every component is referred to, or stands for a promise of its own (x-encodes).",
  severity: "error",
  given: "$",
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
        if (!referred.has(`#${pointerOf(path)}`) && !promises(component))
          yield {
            path,
            message: `Refer to ${name} from somewhere, remove it, or say in x-encodes what it stands for.`,
          };
      }
    }
  },
};
