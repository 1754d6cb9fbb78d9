import { errorRows } from "../../../scripts/document/error-rows.ts";
import { operationsOf, tagsOf } from "../../../scripts/document/operations.ts";
import { rowsOf, textOf } from "../../../scripts/document/values.ts";
import type { Rule } from "../rule.ts";

export const rule: Rule = {
  description: "Operations with a 402 are exactly those whose tag names a product in x-product.",
  *check(document) {
    const tags = rowsOf(document.tags).filter(([, tag]) => textOf(tag["x-product"]) !== "");
    const named = tags.map(([, tag]) => textOf(tag.name));
    const gated = errorRows(document)
      .filter(({ status }) => status === "402")
      .flatMap((row) => row.operations);
    for (const operation of operationsOf(document)) {
      const needs = tagsOf(operation).some((tag) => named.includes(tag));
      if (needs && !gated.includes(operation.id))
        yield {
          path: operation.location,
          message: `Add ${operation.id} to the error row of status 402: its tag names a product.`,
        };
      if (!needs && gated.includes(operation.id))
        yield {
          path: operation.location,
          message: `Add x-product to the tag of ${operation.id}: it has an error row of status 402.`,
        };
    }
  },
};
