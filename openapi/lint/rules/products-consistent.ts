import { errorRows } from "../../../scripts/document/errors.ts";
import { operationsOf, tagsOf } from "../../../scripts/document/operations.ts";
import { rowsOf, textOf } from "../../../scripts/document/values.ts";
import { ruleForEach } from "../rule.ts";

export const rule = ruleForEach(operationsOf, {
  description: "Operations with a 402 are exactly those whose tag names a product in x-product.",
  *check(operation, document) {
    const tags = rowsOf(document.tags).filter(([, tag]) => textOf(tag["x-product"]) !== "");
    const named = tags.map(([, tag]) => textOf(tag.name));
    const gated = errorRows(document)
      .filter(({ status }) => status === "402")
      .flatMap((row) => row.operations);
    const needs = tagsOf(operation).some((tag) => named.includes(tag));
    if (needs && !gated.includes(operation.id))
      yield `Add ${operation.id} to the error row of status 402: its tag names a product.`;
    if (!needs && gated.includes(operation.id))
      yield `Add x-product to the tag of ${operation.id}: it has an error row of status 402.`;
  },
});
