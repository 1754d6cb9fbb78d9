import { operationsOf } from "../../../scripts/document/operations.ts";
import { isLeftUnspecified } from "../../../scripts/document/requirements.ts";
import { listOf, nodeOf, textsOf } from "../../../scripts/document/values.ts";
import { ruleForEach } from "../rule.ts";

const scheme = "bearerAuth";

export const rule = ruleForEach(operationsOf, {
  description: "Every operation names the one ability that its key needs, unless that is unspecified.",
  *check({ id: name, operation, location: path }, document) {
    const requirements = listOf(operation.security).map(nodeOf);
    const [requirement = {}] = requirements;
    if (requirements.length !== 1 || Object.keys(requirement).join() !== scheme) {
      yield `Give ${name} the security \`- ${scheme}: [<ability>]\` and no other.`;
      return;
    }
    const abilities = textsOf(requirement[scheme]);
    const role = [...path, "security", 0, scheme, 0];
    if (abilities.length === 0 && isLeftUnspecified(document, operation, role)) return;
    const place = [...path, "security"];
    if (abilities.length !== 1)
      yield { path: place, message: `Name exactly one ability in the security of ${name}.` };
    for (const ability of abilities)
      if (!Object.hasOwn(nodeOf(document["x-abilities"]), ability))
        yield {
          path: place,
          message: `Use an ability of x-abilities in the security of ${name} (got ${ability}).`,
        };
  },
});
