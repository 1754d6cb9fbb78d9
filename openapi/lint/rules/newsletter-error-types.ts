import { errorExamples, errorRows } from "../../../scripts/document/errors.ts";
import { operationsOf, tagsOf } from "../../../scripts/document/operations.ts";
import { type Node, rowsOf, textsOf } from "../../../scripts/document/values.ts";
import type { Rule } from "../rule.ts";

/** The types that the tag of a newsletter operation permits (`x-error-types`), by operation. */
const permitted = (document: Node): Map<string, string[]> => {
  const tag = rowsOf(document.tags).find(([, { name }]) => name === "Newsletter")?.[1];
  const users = operationsOf(document).filter((operation) => tagsOf(operation).includes("Newsletter"));
  return new Map(users.map(({ id: name }) => [name, textsOf(tag?.["x-error-types"])]));
};

export const rule: Rule = {
  description: "Newsletter operations return only the error types that their tag lists in x-error-types.",
  *check(document) {
    const types = permitted(document);
    for (const [index, tag] of rowsOf(document.tags))
      if (tag.name === "Newsletter" && textsOf(tag["x-error-types"]).length === 0)
        yield {
          path: ["tags", index],
          message: "Add x-error-types to the tag Newsletter.",
        };
    for (const { path, id, type, operations: users } of errorRows(document))
      for (const user of users)
        if (type !== null && types.get(user)?.includes(type) === false)
          yield {
            path,
            message: `Remove ${user} from the row ${id}: the newsletter API does not return ${type}.`,
          };
    for (const { response, name, path, type } of errorExamples(document)) {
      // The type of a 5xx is unspecified, so the list does not apply to it.
      if (type === "" || response.status.startsWith("5")) continue;
      if (types.get(response.operation?.id ?? "")?.includes(type) === false)
        yield {
          path,
          message: `Remove the example ${name} from ${response.operation?.id}: the newsletter API does not return ${type}.`,
        };
    }
  },
};
