import { nodeOf, textOf } from "../../../scripts/document/values.ts";
import type { Rule } from "../rule.ts";

export const rule: Rule = {
  description: "Every path begins with the version prefix and is in lower case with dashes.",
  *check(document) {
    const prefix = textOf(nodeOf(document["x-versioning"]).prefix);
    if (prefix === "") yield { path: [], message: "Add x-versioning.prefix, the prefix of every path." };
    for (const template of Object.keys(nodeOf(document.paths))) {
      const path = ["paths", template];
      if (!template.startsWith(`${prefix}/`))
        yield { path, message: `Change the path ${template} to begin with ${prefix}/.` };
      for (const segment of template.split("/").slice(1))
        if (!/^([a-z0-9-]+|\{[a-z_]+\})$/.test(segment))
          yield { path, message: `Change ${segment} in the path ${template} to lower case with dashes.` };
    }
  },
};
