import { nodeOf, textOf } from "../../../scripts/document/values.ts";
import type { Rule } from "../rule.ts";

export const rule: Rule = {
  description: "Every address begins with the prefix of the version, in lower case with dashes.",
  severity: "error",
  given: "$",
  *check(document) {
    const prefix = textOf(nodeOf(document["x-versioning"]).prefix);
    if (prefix === "") yield { path: [], message: "State the prefix of every address: x-versioning.prefix." };
    for (const address of Object.keys(nodeOf(document.paths))) {
      const path = ["paths", address];
      if (!address.startsWith(`${prefix}/`))
        yield { path, message: `Begin the address ${address} with ${prefix}/.` };
      for (const segment of address.split("/").slice(1))
        if (!/^([a-z0-9-]+|\{[a-z_]+\})$/.test(segment))
          yield { path, message: `Write ${segment} in the address ${address} in lower case, with dashes.` };
    }
  },
};
