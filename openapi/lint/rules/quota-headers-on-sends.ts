import { headerOf, isSuccess, listedResponses } from "../../../scripts/document/responses.ts";
import { entriesOf, type Node, textsOf } from "../../../scripts/document/values.ts";
import type { Rule } from "../rule.ts";

/** The headers that say which operations alone carry them (`x-operations`): these operations, by the name of the header. */
const reserved = (document: Node): Map<string, string[]> =>
  new Map(
    listedResponses(document).flatMap((answer) =>
      entriesOf(answer.response.headers).flatMap(([name]): [string, string[]][] => {
        const users = headerOf(document, answer, name)?.value["x-operations"];
        return users === undefined ? [] : [[name, textsOf(users)]];
      }),
    ),
  );

export const rule: Rule = {
  description:
    "A header that names its operations (x-operations) is on the successes of these, and nowhere else.",
  severity: "error",
  given: "$",
  *check(document) {
    const headers = [...reserved(document)];
    for (const answer of listedResponses(document))
      for (const [name, users] of headers) {
        const expected = isSuccess(answer.status) && users.includes(answer.operation?.id ?? "");
        const header = headerOf(document, answer, name);
        if (expected && header?.value.required !== true)
          yield {
            path: answer.path,
            message: `Add the header ${name} with required: true to ${answer.name}.`,
          };
        if (!expected && header !== undefined)
          yield {
            path: [...answer.path, "headers"],
            message: `Remove the header ${name} from ${answer.name}: it is promised on successes of ${users.join(" and ")} only.`,
          };
      }
  },
};
