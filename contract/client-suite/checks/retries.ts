import type { OperationId } from "../../../generated/operations.ts";
import { type ClientCheck, check, testCase } from "../engine/client-check.ts";
import {
  closesAfter,
  closesBefore,
  closesWithin,
  errorResponse,
  respondsAfterwardsWith,
  respondsWith,
  response,
} from "../service/disturbances.ts";
import type { Disturbance, WireResponse } from "../service/wire.ts";
import { idempotentOperations, newBody, newIdempotencyKey, sampleCall } from "../support/calls.ts";
import { existing } from "../support/existing.ts";
import { assertPauses } from "../support/pauses.ts";
import { adviseRetry, assertRetried, retryTimeout } from "../support/replies.ts";

const failures: Record<string, WireResponse> = {
  "500": response(500),
  "502": response(502, { headers: { "content-type": "text/html" }, body: "<h1>Bad gateway</h1>" }),
  "503": errorResponse(503, "service_unavailable"),
};

/** Calls that are safe to retry: a read, and a send with an idempotency key. A client must retry both. */
const safeCalls: OperationId[] = ["listNewsletterLists", "sendEmail"];
const optionsOf = (operation: OperationId) =>
  operation === "sendEmail" ? { body: newBody(operation), idempotencyKey: newIdempotencyKey() } : {};

const losses = { closesBefore, closesAfter, closesWithin };
/** Writes that take no idempotency key. */
const unkeyedWrites: OperationId[] = ["rescheduleEmail", "cancelEmail", "unsubscribeContact"];

const errors = [...Object.values(failures), errorResponse(500, "unspecified")];
/** Every way in which the service may have processed a request. */
const maybeProcessed: Record<string, Disturbance[]> = {
  [`the service responds with ${Object.keys(failures)
    .join(", ")
    .replace(/, (?=\d+$)/, " or ")}`]: errors.map((made) => respondsAfterwardsWith(made)),
  [`the service ${closesAfter.title}`]: [closesAfter],
  [`the service ${closesWithin.title}`]: [closesWithin],
};

export const retryChecks: ClientCheck[] = [
  check(
    "ERR-15",
    "a client that retries sends a failed request again after a pause, and returns the later response",
    Object.entries(failures).flatMap(([status, made]) =>
      safeCalls.map((operation) =>
        testCase(`${operation} after ${status}`, { operation }, async (tester) => {
          const call = (failures: number) =>
            tester.call(operation, {
              ...optionsOf(operation),
              disturb: Array(failures).fill(respondsWith(made)),
              replyTimeout: retryTimeout,
            });
          const called = await call(1);
          assertRetried(tester, called, made.status);
          if (tester.capabilities.retries) await assertPauses(called, () => call(3));
        }),
      ),
    ),
    { waits: true },
  ),
  check(
    ["IDEM-5", "IDEM-10"],
    "a retry of a request that was processed has its idempotency key, and nothing is sent twice",
    idempotentOperations.map((operation, index) =>
      testCase(operation, { operation, core: operation === "sendEmail" }, async (tester) => {
        const made = Object.values(failures)[index] ?? response(500);
        const options = { body: newBody(operation), idempotencyKey: newIdempotencyKey() };
        const disturb = [respondsAfterwardsWith(made)];
        const called = await tester.call(operation, { ...options, disturb, replyTimeout: retryTimeout });
        assertRetried(tester, called.about("IDEM-10"), made.status);
        // What the caller of a client without retries does.
        if (!tester.capabilities.retries)
          void (await tester.call(operation, options)).about("IDEM-10").result;
      }),
    ),
    { waits: true },
  ),
  check(
    ["ERR-15", "IDEM-5"],
    "after a lost connection, a call ends with a result or an error, and its retries have the same idempotency key",
    Object.values(losses).flatMap((loss) =>
      safeCalls.map((operation) =>
        testCase(`${operation}: the service ${loss.title}`, { operation }, async (tester) => {
          // Without retries, an HTTP library may repeat one request: not more.
          const disturb = tester.capabilities.retries ? [loss] : Array(20).fill(loss);
          const called = await tester.call(operation, {
            ...optionsOf(operation),
            disturb,
            replyTimeout: retryTimeout,
          });
          called.about("ERR-15").assert(called.reply !== undefined, "a result or an error");
          adviseRetry(tester, called, operation, loss.title);
        }),
      ),
    ),
    { waits: true },
  ),
  check(
    "ERR-15",
    "after a lost connection, a write that takes no idempotency key ends with a result or an error",
    unkeyedWrites.map((operation) =>
      testCase(operation, { operation }, async (tester) => {
        tester.mustHave(operation);
        const path = await existing(tester, operation);
        const options = {
          ...sampleCall(operation),
          path,
          disturb: [closesAfter],
          replyTimeout: retryTimeout,
        };
        // Whether the client repeats it is up to the client: the report only advises against it.
        const called = await tester.call(operation, options);
        called.assert(called.reply !== undefined, "a result or an error");
      }),
    ),
    { waits: true },
  ),
  check(
    "IDEM-5",
    "a call without a given idempotency key is not repeated without one",
    idempotentOperations.flatMap((operation) =>
      Object.entries(maybeProcessed).map(([title, disturbances]) =>
        testCase(`${operation}: ${title}`, { operation }, async (tester) => {
          // Some HTTP clients repeat a request if the connection that is lost was used before.
          void (await tester.call(operation, { body: newBody(operation) })).result;
          for (const disturbance of disturbances) {
            const options = { body: newBody(operation), disturb: [disturbance], replyTimeout: retryTimeout };
            const called = await tester.call(operation, options);
            called.assert(called.reply !== undefined, "a result or an error");
          }
        }),
      ),
    ),
    { waits: true },
  ),
];
