import { errorRows } from "../../../scripts/document/error-rows.ts";
import { operationsOf, tagsOf } from "../../../scripts/document/operations.ts";
import { rowsOf, textOf } from "../../../scripts/document/values.ts";
import type { Rule } from "../rule.ts";

export const rule: Rule = {
  description: "The calls that can lack a product (402) are those of the tags that name one in x-product.",
  severity: "error",
  given: "$",
  *check(document) {
    const tags = rowsOf(document.tags).filter(([, tag]) => textOf(tag["x-product"]) !== "");
    const named = tags.map(([, tag]) => textOf(tag.name));
    const refused = errorRows(document)
      .filter(({ status }) => status === "402")
      .flatMap((row) => row.operations);
    for (const operation of operationsOf(document)) {
      const needs = tagsOf(operation).some((tag) => named.includes(tag));
      if (needs && !refused.includes(operation.id))
        yield {
          path: operation.location,
          message: `Add ${operation.id} to the error row of status 402: its tag names a product.`,
        };
      if (!needs && refused.includes(operation.id))
        yield {
          path: operation.location,
          message: `Name the product of ${operation.id} in x-product of its tag: the error table says that it can be missing.`,
        };
    }
  },
};
