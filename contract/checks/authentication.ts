import { limits } from "../../generated/limits.ts";
import type { OperationId } from "../../generated/operations.ts";
import { NotVerified } from "../engine/assert.ts";
import { type Check, check, type TestCase, testCase } from "../engine/check.ts";
import { missingNeeds } from "../engine/run-case.ts";
import type { Tester } from "../engine/tester.ts";
import type { RawRequest, RequestOptions } from "../exchange.ts";
import { assertError, assertSuccess, skipIfOverlapEnded } from "../support/assertions.ts";
import { schedule, secondsAhead, send } from "../support/messages.ts";
import {
  anyPath,
  casePerOperation,
  needsOf,
  okResponse,
  operationsOfProduct,
  requestToReject,
  validRequest,
} from "../support/requests.ts";
import { days, hour } from "../support/scheduled-messages.ts";

const all = operationsOfProduct();
/** One operation of each product, and the one without a product. */
const some = ["sendEmail", "listNewsletterLists", "getMe"] as const;

type Key = Exclude<RawRequest["key"], undefined>;

/** Valid requests, except that the server must reject the key. */
const withKey = (key: (tester: Tester) => Key, asking = requestToReject) =>
  casePerOperation(all, some, async (tester, operation) => {
    const options = await asking(tester, operation);
    assertError(await tester.request(operation, { ...options, key: key(tester) }), 401, "unauthorized");
  });

/** The rest of requests to operations with a path parameter, if no object exists for it. */
const bodies: Partial<Record<OperationId, (tester: Tester) => RequestOptions>> = {
  getEmail: () => ({}),
  rescheduleEmail: (tester) => ({ body: { scheduled_at: secondsAhead(tester, 7200) } }),
  cancelEmail: () => ({}),
  getContact: () => ({}),
  unsubscribeContact: () => ({ body: {} }),
};

/** The same with keys of no account: these requests need no existing object. */
const anyResource = (key: (tester: Tester) => Key): TestCase[] =>
  withKey(key, async (tester, operation) => {
    const isThere = missingNeeds(tester.run, needsOf(operation)).length === 0;
    return isThere
      ? requestToReject(tester, operation)
      : { path: anyPath(operation), ...bodies[operation]?.(tester) };
  }).map((testCase) =>
    testCase.operation !== undefined && testCase.operation in bodies ? { ...testCase, needs: [] } : testCase,
  );

/** A valid request with objects that are new enough after the clock has moved. */
async function requestAfterOverlap(tester: Tester, operation: OperationId): Promise<RequestOptions> {
  if (operation === "getEmail") return { path: { id: await send(tester) } };
  if (operation !== "rescheduleEmail") return validRequest(tester, operation);
  return { path: { id: await schedule(tester) }, body: { scheduled_at: secondsAhead(tester, 2 * hour) } };
}

/** Keys that differ slightly from a valid one. */
const similarKeys: Record<string, (key: string) => string> = {
  "a key with one character too many": (key) => `${key}0`,
  "a key with one character too few": (key) => key.slice(0, -1),
  "a key in upper case": (key) => key.toUpperCase(),
};

const withHeader = (tester: Tester, authorization: string) =>
  tester.request("getMe", { key: null, headers: { authorization } });

export const authentication: Check[] = [
  check(
    "AUTH-1",
    "a valid request with its key as a bearer token is accepted",
    casePerOperation(all, all, async (tester, operation) =>
      assertSuccess(await okResponse(tester, operation)),
    ),
  ),
  check("AUTH-12", "a request without a key is rejected with 401 unauthorized", [
    ...anyResource(() => null),
    testCase("Bearer without a token", { operation: "getMe" }, async (tester) =>
      assertError(await withHeader(tester, "Bearer"), 401, "unauthorized"),
    ),
  ]),
  check("AUTH-13", "a request with a key that was never issued is rejected with 401 unauthorized", [
    ...anyResource((tester) => ({ text: `contract_unknown_${tester.run.unique()}` })),
    ...Object.entries(similarKeys).map(
      ([title, change]): TestCase =>
        testCase(title, { operation: "getMe" }, async (tester) => {
          const key = String(tester.settings.keys.full);
          const text = change(key);
          if (text === key || text === "") throw new NotVerified("keys.full has no such characters.");
          assertError(await tester.request("getMe", { key: { text } }), 401, "unauthorized");
        }),
    ),
  ]),
  check(
    "AUTH-14",
    "a request with a revoked key is rejected with 401 unauthorized",
    withKey(() => "revoked"),
    { needs: ["keys.revoked"] },
  ),
  check(
    "AUTH-7",
    "a replaced key keeps working next to the new one",
    casePerOperation(
      ["listNewsletterLists", "getEmail", "sendEmail"],
      ["getEmail"],
      async (tester, operation) => {
        const options: RequestOptions = { ...(await validRequest(tester, operation)), key: "replaced" };
        const exchange = await tester.request(operation, options);
        skipIfOverlapEnded(tester, exchange);
        assertSuccess(exchange);
      },
    ),
    { needs: ["keys.replaced"] },
  ),
  check(
    "AUTH-7",
    "a replaced key stops working after the overlap",
    casePerOperation(all, ["getMe"], async (tester, operation) => {
      await tester.once("the end of the overlap", (own) =>
        own.hook("advanceClock", { seconds: limits.keyOverlap * days + hour }),
      );
      const options = await requestAfterOverlap(tester, operation);
      assertError(await tester.request(operation, { ...options, key: "replaced" }), 401, "unauthorized");
    }),
    { needs: ["keys.replaced", "hooks.advanceClock"], tags: ["clock"] },
  ),
];
