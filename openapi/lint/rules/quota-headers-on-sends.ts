import { headerOf, isSuccess, listedResponses } from "../../../scripts/document/responses.ts";
import { entriesOf, type Node, textsOf } from "../../../scripts/document/values.ts";
import type { Rule } from "../rule.ts";

/** The operations of each header that has `x-operations`, by the name of the header. */
const reserved = (document: Node): Map<string, string[]> =>
  new Map(
    listedResponses(document).flatMap((response) =>
      entriesOf(response.response.headers).flatMap(([name]): [string, string[]][] => {
        const users = headerOf(document, response, name)?.value["x-operations"];
        return users === undefined ? [] : [[name, textsOf(users)]];
      }),
    ),
  );

export const rule: Rule = {
  description:
    "A header with x-operations is on the successful responses of these operations, and on no other.",
  *check(document) {
    const headers = [...reserved(document)];
    for (const response of listedResponses(document))
      for (const [name, users] of headers) {
        const expected = isSuccess(response.status) && users.includes(response.operation?.id ?? "");
        const header = headerOf(document, response, name);
        if (expected && header?.value.required !== true)
          yield {
            path: response.path,
            message: `Add the header ${name} with required: true to ${response.name}.`,
          };
        if (!expected && header !== undefined)
          yield {
            path: [...response.path, "headers"],
            message: `Remove the header ${name} from ${response.name}: only successful responses of ${users.join(" and ")} have it.`,
          };
      }
  },
};
