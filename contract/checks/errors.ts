import type { OperationId } from "../../generated/operations.ts";
import { assert, NotVerified } from "../engine/assert.ts";
import { type Check, check, notInCore, testCase } from "../engine/check.ts";
import type { Tester } from "../engine/tester.ts";
import { type Exchange, errorOf, namedFields } from "../exchange.ts";
import { isListOfTexts } from "../response-checks/named-fields.ts";
import {
  assertError,
  assertFailNextWorked,
  assertNoOtherField,
  assertSuccess,
  format,
  isWithin,
} from "../support/assertions.ts";
import { batchOf, message } from "../support/messages.ts";
import { burst } from "../support/rate-limit-burst.ts";
import { casePerOperation, requestToReject } from "../support/requests.ts";

/** Operations whose body can be invalid. */
const withFields = [
  "sendEmail",
  "sendBatch",
  "rescheduleEmail",
  "upsertContact",
  "unsubscribeContact",
] as const satisfies readonly OperationId[];
type WithFields = (typeof withFields)[number];

function without(field: string, whole: Record<string, unknown>): Record<string, unknown> {
  const { [field]: _, ...rest } = whole;
  return rest;
}

/** Bodies that are invalid only in the named properties. */
const invalidBodies: Record<WithFields, (tester: Tester) => { names: string[]; body: unknown }> = {
  sendEmail: (tester) => ({
    names: ["from", "to", "reply_to"],
    body: without("from", message(tester, { to: "not a list", reply_to: "not an address" })),
  }),
  sendBatch: (tester) => ({
    names: ["emails.0.subject", "emails.2.to"],
    body: batchOf(
      without("subject", message(tester)),
      message(tester),
      message(tester, { to: ["not an address"] }),
    ),
  }),
  rescheduleEmail: () => ({ names: ["scheduled_at"], body: {} }),
  upsertContact: () => ({ names: ["email", "list_id"], body: { email: "not an address" } }),
  unsubscribeContact: () => ({ names: ["list_id", "reason"], body: { list_id: "all", reason: ["none"] } }),
};

/** The response to an invalid body, and the names of its invalid properties. */
const rejection = (tester: Tester, operation: OperationId) =>
  tester.once(`invalid properties in ${operation}`, async (own) => {
    const { names, body } = invalidBodies[operation as WithFields](own);
    const options = await requestToReject(own, operation);
    return { names, exchange: await own.request(operation, { ...options, body }) };
  });

const errorFields = (exchange: Exchange): [string, unknown][] =>
  Object.entries((errorOf(exchange)?.fields as object | null | undefined) ?? {});

/** A request that fails as `failNext` tells the server to, and the same request sent again. */
const failures = (["500", "502", "503"] as const).map((failure) => ({
  failure,
  failed: (tester: Tester) =>
    tester.once(`failure ${failure}`, async (own) => {
      await own.hook("failNext", { failure, requests: 1 });
      return { failed: assertFailNextWorked(await own.request("getMe")), again: await own.request("getMe") };
    }),
}));

export const errors: Check[] = [
  check(
    "ERR-10",
    "missing and malformed properties are rejected with 422 invalid_request, and error.fields names each of them",
    casePerOperation(withFields, withFields, async (tester, operation) => {
      const { names, exchange } = await rejection(tester, operation);
      assertError(exchange, 422, "invalid_request", ...names);
      const named = namedFields(exchange);
      const missing = names.filter((name) => !named.some((one) => isWithin(one, name)));
      assert(missing.length === 0, exchange, {
        expected: `error.fields with entries for ${names.join(", ")}`,
        found: named.length === 0 ? "no entries" : `entries for ${named.join(", ")}`,
      });
      assertNoOtherField(exchange, names);
    }),
  ),
  check(
    "ERR-4",
    "error.fields has a list of texts for each invalid property",
    casePerOperation(withFields, withFields, async (tester, operation) => {
      const { exchange } = await rejection(tester, operation);
      const fields = errorFields(exchange);
      // Another error has no fields to name, and fails for its status and type.
      if (fields.length === 0) assertError(exchange, 422, "invalid_request");
      assert(fields.length > 0, exchange, { expected: "error.fields", found: "an error without fields" });
      const odd = fields.find(([, texts]) => !isListOfTexts(texts));
      assert(odd === undefined, exchange, {
        expected: `a list of texts at error.fields.${odd?.[0]}`,
        found: format(odd?.[1]),
      });
    }),
  ),
  check(
    "ERR-13",
    "a server failure is reported with its status, and the request succeeds when sent again",
    failures.map(({ failure, failed }) =>
      testCase(failure, async (tester) => {
        const { failed: exchange, again } = await failed(tester);
        assert(exchange.status === Number(failure), exchange, {
          expected: `status ${failure}`,
          found: `status ${exchange.status}`,
        });
        assertSuccess(again);
      }),
    ),
    { needs: ["hooks.failNext"], alone: true },
  ),
  check(
    "ERR-14",
    "502 and 503 have the error object; only a 500 may lack it",
    failures
      .filter(({ failure }) => failure !== "500")
      .map(({ failure, failed }) =>
        testCase(failure, async (tester) => {
          const { failed: exchange } = await failed(tester);
          assertCompleteError(exchange);
        }),
      ),
    { needs: ["hooks.failNext"], alone: true },
  ),
  check(
    "ERR-16",
    "a 429 rate_limited has the error object",
    notInCore(async (tester) => {
      const { rejection } = await burst(tester);
      if (rejection?.status !== 429) throw new NotVerified("No request was rejected for the rate limit.");
      assertCompleteError(rejection);
    }),
    { needs: ["keys.burst"], tags: ["burst"] },
  ),
];

/** Asserts all properties of the error object. */
function assertCompleteError(exchange: Exchange): void {
  const { type, message: words, request_id } = errorOf(exchange) ?? {};
  const isThere = [type, words, request_id].every((part) => typeof part === "string");
  assert(isThere, exchange, { expected: "the error object", found: format(exchange.json) });
}
