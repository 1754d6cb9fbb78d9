import { rowsFor } from "../../../scripts/document/errors.ts";
import {
  headerOf,
  isSuccess,
  listedResponses,
  partsOfResponses,
  responses,
} from "../../../scripts/document/responses.ts";
import { type Node, textsOf } from "../../../scripts/document/values.ts";
import { onlyWhere, type Rule, ruleForEach } from "../rule.ts";

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

/** The operations of each header that has `x-operations`, by the name of the header. */
const reserved = (document: Node): Map<string, string[]> =>
  new Map(
    partsOfResponses("headers")(document)
      .filter(({ value }) => value["x-operations"] !== undefined)
      .map(({ name, value }) => [name, textsOf(value["x-operations"])]),
  );

export const quotaHeadersOnSends: Rule = {
  description:
    "A header with x-operations is on the successful responses of these operations, and on no other.",
  *check(document) {
    const headers = [...reserved(document)];
    for (const response of listedResponses(document))
      for (const [name, users] of headers) {
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
      yield {
        path: header.path,
        message: `Set required: true on the header X-Service-Request-Id of ${response.name}: every response has it.`,
      };
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
