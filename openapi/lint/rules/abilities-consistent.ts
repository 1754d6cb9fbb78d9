import { operationsOf } from "../../../scripts/document/operations.ts";
import { entriesOf, listOf, nodeOf, textsOf } from "../../../scripts/document/values.ts";
import type { Rule } from "../rule.ts";

export const rule: Rule = {
  description:
    "Every ability is needed by an operation or marked as unspecified; its list of operations is correct.",
  *check(document) {
    for (const [ability, row] of entriesOf(document["x-abilities"])) {
      const path = ["x-abilities", ability];
      const users = operationsOf(document)
        .filter(({ operation }) =>
          listOf(operation.security).some((one) =>
            Object.values(nodeOf(one)).flatMap(listOf).includes(ability),
          ),
        )
        .map(({ id: name }) => name);
      if (users.length === 0 && textsOf(row["x-leaves-unspecified"]).length === 0)
        yield {
          path,
          message: `Mark the ability ${ability} with x-leaves-unspecified, or remove it: no operation needs it.`,
        };
      if (row.operations === undefined) continue;
      const listed = textsOf(listOf(row.operations));
      for (const name of users)
        if (!listed.includes(name))
          yield {
            path,
            message: `Add ${name} to the operations of the ability ${ability}: its security names it.`,
          };
      for (const name of listed)
        if (!users.includes(name))
          yield {
            path,
            message: `Remove ${name} from the operations of the ability ${ability}: its security does not name it.`,
          };
    }
  },
};
