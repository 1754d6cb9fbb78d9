import { errorRows } from "../../../scripts/document/error-rows.ts";
import { operations, tagsOf } from "../../../scripts/document/operations.ts";
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
    for (const operation of operations(document)) {
      const needs = tagsOf(operation).some((tag) => named.includes(tag));
      if (needs && !refused.includes(operation.name))
        yield {
          path: operation.path,
          message: `Add ${operation.name} to the error row of status 402: its tag names a product.`,
        };
      if (!needs && refused.includes(operation.name))
        yield {
          path: operation.path,
          message: `Name the product of ${operation.name} in x-product of its tag: the error table says that it can be missing.`,
        };
    }
  },
};
