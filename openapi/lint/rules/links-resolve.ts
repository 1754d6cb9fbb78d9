import { brokenExpressions } from "../../../scripts/document/link-expressions.ts";
import { operationsOf, parametersOf } from "../../../scripts/document/operations.ts";
import { follow } from "../../../scripts/document/references.ts";
import { responses } from "../../../scripts/document/responses.ts";
import { entriesOf, nodeOf, textOf } from "../../../scripts/document/values.ts";
import type { Rule } from "../rule.ts";

export const rule: Rule = {
  description: "A link leads to an operation, gives its required parameters, and reads what the answer has.",
  severity: "error",
  given: "$",
  *check(document) {
    for (const answer of responses(document))
      for (const [name, value] of entriesOf(answer.response.links)) {
        const { path, value: link } = follow(document, [...answer.path, "links", name], value);
        const owner = `the link ${name} of ${answer.name}`;
        const target = operationsOf(document).find(
          ({ operation }) => operation.operationId === link.operationId,
        );
        if (target === undefined) {
          yield { path, message: `Name an operation of this document in operationId of ${owner}.` };
          continue;
        }
        const known = parametersOf(document, target).map((parameter) => parameter.value);
        const given = Object.keys(nodeOf(link.parameters)).map((key) =>
          key.replace(/^(path|query|header)\./, ""),
        );
        for (const parameter of given)
          if (!known.some((one) => one.name === parameter))
            yield {
              path,
              message: `Remove the parameter ${parameter} from ${owner}: ${target.id} has none of this name.`,
            };
        for (const parameter of known)
          if (parameter.required === true && !given.includes(textOf(parameter.name)))
            yield {
              path,
              message: `Give the parameter ${parameter.name} in ${owner}: ${target.id} requires it.`,
            };
        for (const expression of brokenExpressions(document, answer, link))
          yield { path, message: `Correct ${expression} in ${owner}: there is nothing at that place.` };
      }
  },
};
