import { rowsFor } from "../../../scripts/document/errors.ts";
import { valueAt } from "../../../scripts/document/json-pointer.ts";
import { operationsOf, parametersOf } from "../../../scripts/document/operations.ts";
import {
  brokenExpressions,
  gatewayResponses,
  headerOf,
  isError,
  isSuccess,
  listedResponses,
  partsOfResponses,
  responses,
  responsesOf,
} from "../../../scripts/document/responses.ts";
import { entriesOf, nodeOf, textOf, textsOf } from "../../../scripts/document/values.ts";
import { finding, onlyWhere, type Rule, ruleForEach } from "../rule.ts";

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
        yield finding(
          gatewayResponses in document ? [gatewayResponses] : [],
          `Add the ${status} response to ${gatewayResponses}.`,
        );
    for (const { listed, status, operation } of listedResponses(document))
      if (operation !== undefined && status === "405")
        yield finding(listed, `Remove the 405 response from ${operation.id}: it is a gateway response.`);
  },
};

export const responseHasExample = ruleForEach(responses, {
  description: "Every response has a body with an example.",
  *check({ path, response, name }) {
    const media = entriesOf(response.content);
    if (media.length === 0) yield `Add application/json content to ${name}.`;
    for (const [type, { examples }] of media)
      if (entriesOf(examples).length === 0)
        yield finding([...path, "content", type], `Add a named example to ${name}.`);
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
      yield finding(open.listed, `Mark ${open.name} with x-leaves-unspecified: its status is unspecified.`);
    for (const { listed, status } of successes)
      if (status !== "2XX")
        yield finding(
          listed,
          `Remove the ${status} response from ${place.id}: its success status is unspecified (2XX).`,
        );
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
      yield finding(
        [...path, "requestBody"],
        `Remove requestBody from the link ${name} of ${response.name}, and describe the body in its description.`,
      );
  },
});

export const allowOn405 = ruleForEach(responses, {
  description: "A 405 response has the Allow header; no other response has it.",
  check: (response, document) =>
    onlyWhere(document, response, "Allow", response.status === "405", "only a 405 has it"),
});

export const headerExamplesWorkInMocks = ruleForEach(partsOfResponses("headers"), {
  description: "The example of a header is a single value that mocks do not take for a missing header.",
  *check({ name, value: { example } }) {
    if (example !== undefined && (!example || typeof example === "object"))
      yield `Set the example of the header ${name} to a non-empty string or a number other than 0.`;
  },
});

export const quotaHeadersOnSends: Rule = {
  description:
    "A header with x-operations is on the successful responses of these operations, and on no other.",
  *check(document) {
    // The operations by the name of the header.
    const reserved = new Map(
      partsOfResponses("headers")(document)
        .filter(({ value }) => value["x-operations"] !== undefined)
        .map(({ name, value }) => [name, textsOf(value["x-operations"])]),
    );
    for (const response of listedResponses(document))
      for (const [name, users] of reserved) {
        const isExpected = isSuccess(response.status) && users.includes(response.operation?.id ?? "");
        const why = `only successful responses of ${users.join(" and ")} have it`;
        yield* onlyWhere(document, response, name, isExpected, why);
      }
  },
};

const headers = ["X-RateLimit-Limit", "X-RateLimit-Remaining"];

export const rateLimitHeadersOnSuccessOnly = ruleForEach(responses, {
  description: "Successful responses have the rate-limit headers; others do not.",
  *check(response, document) {
    const isExpected = isSuccess(response.status);
    for (const name of headers)
      yield* onlyWhere(document, response, name, isExpected, "only successful responses have it");
  },
});

export const requestIdOnEveryResponse = ruleForEach(responses, {
  description: "Every response has the required header X-Service-Request-Id.",
  *check(response, document) {
    const header = headerOf(document, response, "X-Service-Request-Id");
    if (header === undefined) yield `Add the header X-Service-Request-Id to ${response.name}.`;
    else if (header.value.required !== true)
      yield finding(
        header.path,
        `Set required: true on the header X-Service-Request-Id of ${response.name}: every response has it.`,
      );
  },
});

export const requiredHeadersMarked = ruleForEach(partsOfResponses("headers"), {
  description: "Every response header has required, true or false.",
  *check({ path, value, name, response }) {
    const place = path[0] === "components" ? `${path[2]}` : `${name} of ${response.name}`;
    if (typeof value.required !== "boolean") yield `Set required on the header ${place}.`;
  },
});

/** `rate_limited` requires `Retry-After`; whether `send_rejected` has it is unspecified. */
export const retryAfterOn429 = ruleForEach(listedResponses, {
  description:
    "A 429 response has Retry-After, required if every type of it has one; no other response has it.",
  *check(response, document) {
    const header = headerOf(document, response, "Retry-After");
    const { path, name, status, operation } = response;
    if (status !== "429")
      return yield* onlyWhere(document, response, "Retry-After", false, "only a 429 has it");
    if (header === undefined) return yield `Add the header Retry-After to ${name}.`;
    const required = rowsFor(document, operation?.id, status).every(({ type }) => type === "rate_limited");
    if (header.value.required !== required)
      yield {
        path: [...path, "headers"],
        message: required
          ? `Use a Retry-After with required: true on ${name}: its only type, rate_limited, requires it.`
          : `Use a Retry-After with required: false on ${name}: only its type rate_limited requires it.`,
      };
  },
});
