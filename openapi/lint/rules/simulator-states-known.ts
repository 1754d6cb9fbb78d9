import { pathOf, valueAt } from "../../../scripts/document/json-pointer.ts";
import { nodeOf, rowsOf, textOf, textsOf } from "../../../scripts/document/values.ts";
import type { Rule } from "../rule.ts";

export const rule: Rule = {
  description: "Simulated recipients lead to states that messages have.",
  *check(document) {
    const lifecycle = nodeOf(valueAt(document, ["x-lifecycles", "message"]));
    const states = textsOf(valueAt(document, [...pathOf(textOf(lifecycle.schema)), "enum"]));
    const seen = new Set<string>();
    for (const [index, recipient] of rowsOf(nodeOf(document["x-simulator"]).recipients)) {
      const path = ["x-simulator", "recipients", index];
      const name = textOf(recipient.localPart);
      if (name === "" || seen.has(name))
        yield { path, message: `Set a unique localPart for recipient ${index} of x-simulator.` };
      seen.add(name);
      for (const state of textsOf(recipient.states))
        if (!states.includes(state))
          yield {
            path,
            message: `Correct the state ${state} of ${name} in x-simulator: messages do not have it.`,
          };
      if (textsOf(recipient.states).length === 0 && textsOf(recipient["x-leaves-unspecified"]).length === 0)
        yield {
          path,
          message: `Add states to ${name} in x-simulator, or mark it with x-leaves-unspecified.`,
        };
    }
  },
};
