import { operationsOf, parametersOf } from "../../../scripts/document/operations.ts";
import { follow } from "../../../scripts/document/references.ts";
import { brokenExpressions, responses } from "../../../scripts/document/responses.ts";
import { entriesOf, nodeOf, textOf } from "../../../scripts/document/values.ts";
import { ruleForEach } from "../rule.ts";

export const rule = ruleForEach(responses, {
  description:
    "A link names an operation, sets its required parameters, and reads values that the response has.",
  *check(response, document) {
    for (const [name, value] of entriesOf(response.response.links)) {
      const { path, value: link } = follow(document, [...response.path, "links", name], value);
      const owner = `the link ${name} of ${response.name}`;
      const target = operationsOf(document).find(
        ({ operation }) => operation.operationId === link.operationId,
      );
      if (target === undefined) {
        yield { path, message: `Set a known operationId in ${owner}.` };
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
            message: `Remove the parameter ${parameter} from ${owner}: ${target.id} does not have it.`,
          };
      for (const parameter of known)
        if (parameter.required === true && !given.includes(textOf(parameter.name)))
          yield {
            path,
            message: `Set the parameter ${parameter.name} in ${owner}: ${target.id} requires it.`,
          };
      for (const expression of brokenExpressions(document, response, link))
        yield { path, message: `Correct ${expression} in ${owner}: there is no such value.` };
    }
  },
});
