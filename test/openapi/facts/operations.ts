import { operationsOf, parametersOf, tagsOf } from "../../../scripts/document/operations.ts";
import { isSuccess, responsesOf } from "../../../scripts/document/responses.ts";
import { entriesOf, listOf, type Node, nodeOf, textsOf } from "../../../scripts/document/values.ts";
import { headers } from "./answers.ts";
import { type Facts, named, shape } from "./shape.ts";

const body = (document: Node, value: unknown): string[] =>
  entriesOf(nodeOf(value).content).map(([type, { schema, examples }]) => {
    const required = nodeOf(value).required === true ? "* " : "";
    return `${required}${type} ${named(document, schema)} (${Object.keys(nodeOf(examples)).join(" ")})`;
  });

const links = (answer: Node): string =>
  entriesOf(answer.links)
    .map(([, link]) => `${link.operationId} ${JSON.stringify(link.parameters ?? link.requestBody)}`)
    .join(", ");

/** What the document says of each operation and its successes; failures are named by their shared answer. */
export const readOperations = (document: Node): Facts =>
  Object.fromEntries(
    operationsOf(document).map((place) => {
      const { id: name, method, path: address, operation } = place;
      const answers = responsesOf(document, place);
      const [security = {}] = listOf(operation.security).map(nodeOf);
      const facts: Record<string, string> = {
        at: `${method.toUpperCase()} ${address}`,
        tag: tagsOf(place).join(" "),
        ability: Object.entries(security)
          .map(([scheme, abilities]) => `${scheme} ${textsOf(listOf(abilities)).join(" ")}`.trim())
          .join(),
        parameters: parametersOf(document, place)
          .map(
            ({ value }) =>
              `${value.name} in ${value.in}${value.required === true ? "*" : ""} ${shape(value.schema)}`,
          )
          .join(", "),
        request: body(document, operation.requestBody).join(),
        failures: answers
          .filter(({ status }) => !isSuccess(status))
          .map(({ status, path }) => `${status} ${path.at(-1)}`)
          .join(", "),
      };
      for (const answer of answers.filter(({ status }) => isSuccess(status))) {
        facts[answer.status] = body(document, answer.response).join();
        facts[`${answer.status} headers`] = headers(document, answer);
        facts[`${answer.status} links`] = links(answer.response);
      }
      return [name, Object.fromEntries(Object.entries(facts).filter(([, text]) => text !== ""))];
    }),
  );
