import { operationsOf } from "../../../scripts/document/operations.ts";
import { isSuccess, responsesOf } from "../../../scripts/document/responses.ts";
import { textsOf } from "../../../scripts/document/values.ts";
import { ruleForEach } from "../rule.ts";

export const rule = ruleForEach(operationsOf, {
  description: "An unspecified success status is written 2XX, is marked, and is the only one.",
  *check(place, document) {
    const successes = responsesOf(document, place).filter(({ status }) => isSuccess(status));
    const open = successes.find(({ status }) => status === "2XX");
    if (successes.length === 0) yield `Add a successful response to ${place.id}, with its status or 2XX.`;
    if (open === undefined) return;
    if (
      [open.response, place.operation].flatMap((node) => textsOf(node["x-leaves-unspecified"])).length === 0
    )
      yield {
        path: open.listed,
        message: `Mark ${open.name} with x-leaves-unspecified: its status is unspecified.`,
      };
    for (const { listed, status } of successes)
      if (status !== "2XX")
        yield {
          path: listed,
          message: `Remove the ${status} response from ${place.id}: its success status is unspecified (2XX).`,
        };
  },
});
