import { operationsOf, parametersOf, tagsOf } from "../../../scripts/document/operations.ts";
import { isSuccess, responsesOf } from "../../../scripts/document/responses.ts";
import { entriesOf, listOf, type Node, nodeOf, textsOf } from "../../../scripts/document/values.ts";
import { headers } from "./responses.ts";
import { type Facts, named, shape } from "./shape.ts";

const body = (document: Node, value: unknown): string[] =>
  entriesOf(nodeOf(value).content).map(([type, { schema, examples }]) => {
    const required = nodeOf(value).required === true ? "* " : "";
    return `${required}${type} ${named(document, schema)} (${Object.keys(nodeOf(examples)).join(" ")})`;
  });

const links = (response: Node): string =>
  entriesOf(response.links)
    .map(([, link]) => `${link.operationId} ${JSON.stringify(link.parameters ?? {})}`)
    .join(", ");

/** Each operation with its success responses; error responses are given by the name of the shared response. */
export const readOperations = (document: Node): Facts =>
  Object.fromEntries(
    operationsOf(document).map((place) => {
      const { id, method, path, operation } = place;
      const responses = responsesOf(document, place);
      const [security = {}] = listOf(operation.security).map(nodeOf);
      const facts: Record<string, string> = {
        at: `${method.toUpperCase()} ${path}`,
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
        errors: responses
          .filter(({ status }) => !isSuccess(status))
          .map(({ status, path: at }) => `${status} ${at.at(-1)}`)
          .join(", "),
      };
      for (const response of responses.filter(({ status }) => isSuccess(status))) {
        facts[response.status] = body(document, response.response).join();
        facts[`${response.status} headers`] = headers(document, response);
        facts[`${response.status} links`] = links(response.response);
      }
      return [id, Object.fromEntries(Object.entries(facts).filter(([, text]) => text !== ""))];
    }),
  );
