import type { OperationId } from "../../../../generated/operations.ts";
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
import type { WireResponse } from "../service/wire.ts";
import { idempotentOperations, newBody, newIdempotencyKey } from "../support/calls.ts";
import { assertPauses } from "../support/pauses.ts";
import { adviseRetry, assertRetried, retryPatience } from "../support/replies.ts";

const failures: Record<string, WireResponse> = {
  "500": response(500),
  "502": response(502, { headers: { "content-type": "text/html" }, body: "<h1>Bad gateway</h1>" }),
  "503": errorResponse(503, "service_unavailable"),
};

/** Calls that are safe to retry: a read, and a send with an idempotency key. */
const safeCalls: OperationId[] = ["listNewsletterLists", "sendEmail"];
const optionsOf = (operation: OperationId) =>
  operation === "sendEmail" ? { body: newBody(operation), idempotencyKey: newIdempotencyKey() } : {};

const losses = { closesBefore, closesAfter, closesWithin };

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
              patience: retryPatience,
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
        const called = await tester.call(operation, { ...options, disturb, patience: retryPatience });
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
    "after a lost connection, a request is retried only if that is safe",
    Object.values(losses).flatMap((loss) =>
      safeCalls.map((operation) =>
        testCase(`${operation}: the service ${loss.title}`, { operation }, async (tester) => {
          const disturb = [loss];
          const called = await tester.call(operation, {
            ...optionsOf(operation),
            disturb,
            patience: retryPatience,
          });
          called.about("ERR-15").assert(called.reply !== undefined, "a result or an error");
          adviseRetry(tester, called, operation);
        }),
      ),
    ),
    { waits: true },
  ),
  check(
    "IDEM-5",
    "a send without a given idempotency key is not sent twice",
    [respondsAfterwardsWith(response(500)), closesAfter, closesWithin].map((disturbance) =>
      testCase(`the service ${disturbance.title}`, { operation: "sendEmail" }, async (tester) => {
        const disturb = [disturbance];
        // Some HTTP clients repeat a request if the connection that is lost was used before.
        void (await tester.call("sendEmail", { body: newBody("sendEmail") })).result;
        const called = await tester.call("sendEmail", {
          body: newBody("sendEmail"),
          disturb,
          patience: retryPatience,
        });
        called.assert(called.reply !== undefined, "a result or an error");
      }),
    ),
    { waits: true },
  ),
];
