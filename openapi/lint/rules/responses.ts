import { valueAt } from "../../../scripts/document/json-pointer.ts";
import { operationsOf, parametersOf } from "../../../scripts/document/operations.ts";
import {
  brokenExpressions,
  gatewayResponses,
  isError,
  isSuccess,
  listedResponses,
  partsOfResponses,
  responses,
  responsesOf,
} from "../../../scripts/document/responses.ts";
import { entriesOf, nodeOf, textOf, textsOf } from "../../../scripts/document/values.ts";
import { type Rule, ruleForEach } from "../rule.ts";

export const emptyBodyOn500Only = ruleForEach(responses, {
  description: "A 500 response may have an empty body; no other response may.",
  *check({ response, status, name }) {
    if (status === "500" && response["x-empty-body"] !== true)
      yield `Add x-empty-body: true to ${name}: a 500 may come without the error body.`;
    if (status !== "500" && response["x-empty-body"] !== undefined)
      yield `Remove x-empty-body from ${name}: only a 500 may come without the error body.`;
  },
});

const shape = "#/components/schemas/ErrorResponse";

export const errorResponsesShareSchema = ruleForEach(responses, {
  description: "Every error response has the schema components/schemas/ErrorResponse.",
  *check({ response, status, listed, name }) {
    if (!isError(status) && listed[0] !== gatewayResponses) return;
    if (valueAt(response, ["content", "application/json", "schema", "$ref"]) !== shape)
      yield `Make the application/json schema of ${name} a $ref to ${shape}.`;
  },
});

const statuses = ["404", "405"];

export const gatewayResponsesComplete: Rule = {
  description: "Unknown paths (404) and methods (405) have gateway responses.",
  *check(document) {
    const gateway = nodeOf(document[gatewayResponses]);
    for (const status of statuses)
      if (!Object.hasOwn(gateway, status))
        yield {
          path: gatewayResponses in document ? [gatewayResponses] : [],
          message: `Add the ${status} response to ${gatewayResponses}.`,
        };
    for (const { listed, status, operation } of listedResponses(document))
      if (operation !== undefined && status === "405")
        yield {
          path: listed,
          message: `Remove the 405 response from ${operation.id}: it is a gateway response.`,
        };
  },
};

export const responseHasExample = ruleForEach(responses, {
  description: "Every response has a body with an example.",
  *check({ path, response, name }) {
    const media = entriesOf(response.content);
    if (media.length === 0) yield `Add application/json content to ${name}.`;
    for (const [type, { examples }] of media)
      if (entriesOf(examples).length === 0)
        yield { path: [...path, "content", type], message: `Add a named example to ${name}.` };
  },
});

export const successStatusUnspecified = ruleForEach(operationsOf, {
  description: "An unspecified success status is written 2XX, is marked, and is the only one.",
  *check(place, document) {
    const successes = responsesOf(document, place).filter(({ status }) => isSuccess(status));
    const open = successes.find(({ status }) => status === "2XX");
    if (successes.length === 0) yield `Add a successful response to ${place.id}, with its status or 2XX.`;
    if (open === undefined) return;
    const marks = [open.response, place.operation].flatMap((node) => textsOf(node["x-leaves-unspecified"]));
    if (marks.length === 0)
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

export const linksResolve = ruleForEach(partsOfResponses("links"), {
  description:
    "A link names an operation, sets its required parameters, and reads values that the response has.",
  *check({ name, value: link, response }, document) {
    const owner = `the link ${name} of ${response.name}`;
    const target = operationsOf(document).find(({ operation }) => operation.operationId === link.operationId);
    if (target === undefined) return yield `Set a known operationId in ${owner}.`;
    const known = parametersOf(document, target).map((parameter) => parameter.value);
    const given = Object.keys(nodeOf(link.parameters)).map((key) =>
      key.replace(/^(path|query|header)\./, ""),
    );
    for (const parameter of given)
      if (!known.some((one) => one.name === parameter))
        yield `Remove the parameter ${parameter} from ${owner}: ${target.id} does not have it.`;
    for (const parameter of known)
      if (parameter.required === true && !given.includes(textOf(parameter.name)))
        yield `Set the parameter ${parameter.name} in ${owner}: ${target.id} requires it.`;
    for (const expression of brokenExpressions(document, response, link))
      yield `Correct ${expression} in ${owner}: there is no such value.`;
  },
});

export const linksWithoutRequestBody = ruleForEach(partsOfResponses("links"), {
  description: "A link has no requestBody: OpenAPI Generator rejects a document in which it is an object.",
  *check({ path, value, name, response }) {
    if (value.requestBody !== undefined)
      yield {
        path: [...path, "requestBody"],
        message: `Remove requestBody from the link ${name} of ${response.name}, and describe the body in its description.`,
      };
  },
});
