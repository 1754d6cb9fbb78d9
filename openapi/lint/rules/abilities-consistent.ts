import { operationsOf } from "../../../scripts/document/operations.ts";
import { listOf, namedRows, nodeOf, textsOf } from "../../../scripts/document/values.ts";
import { ruleForEach } from "../rule.ts";

export const rule = ruleForEach(namedRows("x-abilities"), {
  description:
    "Every ability is needed by an operation or marked as unspecified; its list of operations is correct.",
  *check({ name: ability, row }, document) {
    const users = operationsOf(document)
      .filter(({ operation }) =>
        listOf(operation.security).some((one) =>
          Object.values(nodeOf(one)).flatMap(listOf).includes(ability),
        ),
      )
      .map(({ id }) => id);
    if (users.length === 0 && textsOf(row["x-leaves-unspecified"]).length === 0)
      yield `Mark the ability ${ability} with x-leaves-unspecified, or remove it: no operation needs it.`;
    if (row.operations === undefined) return;
    const listed = textsOf(listOf(row.operations));
    for (const name of users)
      if (!listed.includes(name))
        yield `Add ${name} to the operations of the ability ${ability}: its security names it.`;
    for (const name of listed)
      if (!users.includes(name))
        yield `Remove ${name} from the operations of the ability ${ability}: its security does not name it.`;
  },
});
