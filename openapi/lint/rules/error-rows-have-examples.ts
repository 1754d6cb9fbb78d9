import { errorExamples, errorRows } from "../../../scripts/document/errors.ts";
import { operationsOf } from "../../../scripts/document/operations.ts";
import { listedResponses } from "../../../scripts/document/responses.ts";
import { ruleForEach } from "../rule.ts";

export const rule = ruleForEach(errorRows, {
  description: "Every row of the error table has a named example in each of its responses.",
  *check({ id, status, type, operations: users }, document) {
    const known = new Set(operationsOf(document).map((operation) => operation.id));
    for (const user of users.length === 0 ? [undefined] : users) {
      if (user !== undefined && !known.has(user)) continue;
      const owner = user ?? "the gateway";
      const response = listedResponses(document).find(
        (one) => one.operation?.id === user && one.status === status,
      );
      if (response === undefined) {
        yield `Add a ${status} response to ${owner}, or remove it from the row ${id}.`;
        continue;
      }
      const examples = errorExamples(document).filter((one) => one.response === response);
      if (!examples.some((example) => type === null || example.type === type))
        yield {
          path: response.path,
          message: `Add an example ${type === null ? "" : `with error.type ${type} `}to ${response.name}, for the row ${id}.`,
        };
    }
  },
});
