import { entriesOf, rowsOf } from "../../../scripts/document/values.ts";
import type { Rule } from "../rule.ts";

export const rule: Rule = {
  description: "Server variables have no description: swagger-parser rejects it.",
  *check({ servers }) {
    for (const [index, server] of rowsOf(servers))
      for (const [name, variable] of entriesOf(server.variables))
        if (variable.description !== undefined)
          yield {
            path: ["servers", index, "variables", name, "description"],
            message: `Move the description of the variable ${name} to that of its server.`,
          };
  },
};
