import type { OperationId } from "../../../generated/operations.ts";
import { type CallOptions, type ClientTester, check, testCase, waiting } from "../engine/client-tester.ts";
import type { RecordedCall } from "../engine/recorded-call.ts";
import {
  closesAfter,
  closesBefore,
  closesWithin,
  errorResponse,
  respondsAfterwardsWith,
  respondsWith,
  response,
  slow,
  stalls,
} from "../service/disturbances.ts";
import type { Disturbance, WireResponse } from "../service/recording-server.ts";
import { assertError, assertPauses, assertRetried, htmlPage, retryTimeout } from "../support/assertions.ts";
import {
  idempotentOperations,
  newBody,
  newIdempotencyKey,
  newMessage,
  sampleCall,
  unkeyedWrites,
} from "../support/samples.ts";

const failures: Record<string, WireResponse> = {
  "500": response(500),
  "502": response(502, htmlPage),
  "503": errorResponse(503, "service_unavailable"),
};

/** Calls that are safe to retry: a read, and a send with an idempotency key. A client must retry both. */
const safeCalls: OperationId[] = ["listNewsletterLists", "sendEmail"];
const keyedBody = (operation: OperationId): CallOptions => ({
  body: newBody(operation),
  idempotencyKey: newIdempotencyKey(),
});
const safely = (operation: OperationId): CallOptions =>
  operation === "sendEmail" ? keyedBody(operation) : {};

const callPatiently = (tester: ClientTester, operation: OperationId, options: CallOptions) =>
  tester.call(operation, { replyTimeout: retryTimeout, ...options });

const assertReply = (called: RecordedCall): void =>
  called.assert(called.reply !== undefined, "a result or an error");

const errors = [...Object.values(failures), errorResponse(500, "unspecified")];
/** Every way in which the service may have processed a request. */
const maybeProcessed: [title: string, Disturbance[]][] = [
  ["the service responds with 500, 502 or 503", errors.map((made) => respondsAfterwardsWith(made))],
  ...[closesAfter, closesWithin].map((loss): [string, Disturbance[]] => [
    `the service ${loss.title}`,
    [loss],
  ]),
];

export const retryChecks = waiting([
  check(
    "ERR-15",
    "a client that retries sends a failed request again after a pause, and returns the later response",
    Object.entries(failures).flatMap(([status, made]) =>
      safeCalls.map((operation) =>
        testCase(`${operation} after ${status}`, { operation }, async (tester) => {
          const call = (failures: number) => {
            const disturb = Array(failures).fill(respondsWith(made));
            return callPatiently(tester, operation, { ...safely(operation), disturb });
          };
          const called = await call(1);
          assertRetried(tester, called, made.status);
          if (tester.capabilities.retries) await assertPauses(called, () => call(3));
        }),
      ),
    ),
  ),
  check(
    ["IDEM-5", "IDEM-10"],
    "a retry of a request that was processed has its idempotency key, and nothing is sent twice",
    idempotentOperations.map((operation, index) =>
      testCase(operation, { operation, core: operation === "sendEmail" }, async (tester) => {
        const made = Object.values(failures)[index] ?? response(500);
        const options = keyedBody(operation);
        const disturb = [respondsAfterwardsWith(made)];
        const called = await callPatiently(tester, operation, { ...options, disturb });
        assertRetried(tester, called.about("IDEM-10"), made.status);
        // What the caller of a client without retries does.
        if (!tester.capabilities.retries)
          void (await tester.call(operation, options)).about("IDEM-10").result;
      }),
    ),
  ),
  check(
    ["ERR-15", "IDEM-5"],
    "after a lost connection, a call ends with a result or an error, and its retries have the same idempotency key",
    [closesBefore, closesAfter, closesWithin].flatMap((loss) =>
      safeCalls.map((operation) =>
        testCase(`${operation}: the service ${loss.title}`, { operation }, async (tester) => {
          // Without retries, an HTTP library may repeat one request: not more.
          const disturb = tester.capabilities.retries ? [loss] : Array(20).fill(loss);
          const called = await callPatiently(tester, operation, { ...safely(operation), disturb });
          assertReply(called.about("ERR-15"));
          if (tester.capabilities.retries && called.wire.length === 1)
            tester.information.add(
              `The client does not retry ${operation} if the service ${loss.title}, although that is safe.`,
            );
        }),
      ),
    ),
  ),
  check(
    "ERR-15",
    "after a lost connection, a write that takes no idempotency key ends with a result or an error",
    unkeyedWrites.map((operation) =>
      testCase(operation, { operation }, async (tester) => {
        // Whether the client repeats it is up to the client: the report only advises against it.
        const options = { ...sampleCall(operation), disturb: [closesAfter] };
        assertReply(await callPatiently(tester, operation, options));
      }),
    ),
  ),
  check(
    "IDEM-5",
    "a call without a given idempotency key is not repeated without one",
    idempotentOperations.flatMap((operation) =>
      maybeProcessed.map(([title, disturbances]) =>
        testCase(`${operation}: ${title}`, { operation }, async (tester) => {
          // Some HTTP clients repeat a request if the connection that is lost was used before.
          void (await tester.call(operation, { body: newBody(operation) })).result;
          for (const disturbance of disturbances) {
            const options = { body: newBody(operation), disturb: [disturbance] };
            assertReply(await callPatiently(tester, operation, options));
          }
        }),
      ),
    ),
  ),
]);

/** A rejection for the rate limit, with the given `Retry-After`, or without one. */
function rateLimited(retryAfter?: string): Disturbance {
  const headers: Record<string, string> = retryAfter === undefined ? {} : { "retry-after": retryAfter };
  const title = retryAfter === undefined ? "no Retry-After" : `Retry-After: ${retryAfter}`;
  const made = errorResponse(429, "rate_limited", { headers });
  return respondsWith(made, `responds with 429 rate_limited and ${title}`);
}

/** More requests than these, without a word on when to come back, keep the account at its limit. */
const mostRequests = 6;
/** In milliseconds: a client may wait until the window of the rate limit has certainly ended. */
const aMinute = 75_000;
/** In milliseconds: enough to see that a client waits. */
const shortTimeout = 3_000;
/** In milliseconds: a client that always waits equally long, whatever the header says, has mostly sent its next request by then. */
const longTimeout = 12_000;

export const rateLimitChecks = waiting([
  check(
    "HEAD-9",
    "after a 429 rate_limited, a client waits as long as Retry-After says, in seconds",
    (["listNewsletterLists", "sendEmail", "unsubscribeContact"] as const).map((operation) =>
      testCase(operation, { operation, core: operation === "sendEmail" }, async (tester) => {
        const isSend = operation === "sendEmail";
        const sample = isSend ? { body: newMessage() } : sampleCall(operation);
        // A client that waits after the first may ignore the second.
        const disturb = Array(isSend ? 2 : 1).fill(rateLimited("1"));
        const called = await callPatiently(tester, operation, { ...sample, disturb });
        // How often it retries is up to the client.
        if (called.wire.length <= disturb.length) assertError(called, 429, "rate_limited");
        else void called.result;
        if (called.wire.length === 1 && tester.capabilities.retries)
          tester.information.add(`The client does not retry ${operation} after a 429 rate_limited.`);
      }),
    ),
  ),
  check("HEAD-9", "after a 429 rate_limited with a Retry-After that is no number of seconds, the call ends", [
    ...["a date in three seconds", "Wed, 31 Foo 2027 25:61:00 GMT", "-1"].map((text, index) =>
      testCase(`Retry-After: ${text}`, { operation: "listNewsletterLists" }, async (tester) => {
        const soon = new Date((Math.floor(Date.now() / 1000) + 3) * 1000).toUTCString();
        const until = index === 0 ? soon : text;
        const options = { disturb: [rateLimited(until)], replyTimeout: aMinute };
        const called = await tester.call("listNewsletterLists", options);
        assertReply(called);
        if ((called.wire[1]?.startedAt ?? Number.POSITIVE_INFINITY) < Date.parse(until) - 1000)
          tester.information.add("The client does not wait until a date in Retry-After.");
      }),
    ),
  ]),
  check("HEAD-9", "if Retry-After is an hour, no request follows", [
    testCase("", { operation: "listNewsletterLists" }, async (tester) => {
      const disturb = Array(20).fill(rateLimited("3600"));
      const called = await tester.call("listNewsletterLists", { disturb, replyTimeout: longTimeout });
      called.assert(called.wire.length === 1, "one request", `${called.wire.length} requests`);
      if (called.reply === undefined)
        tester.information.add("The client waits for an hour, without an error that tells its caller.");
      else called.assert("error" in called.reply, "an error");
    }),
  ]),
  check("HEAD-9", "after a 429 rate_limited without Retry-After, the call ends with the error", [
    testCase("", { operation: "listNewsletterLists" }, async (tester) => {
      const disturb = Array(50).fill(rateLimited());
      const called = await tester.call("listNewsletterLists", { disturb, replyTimeout: shortTimeout });
      if (called.wire.length > mostRequests)
        tester.information.add(
          `The client sends more than ${mostRequests} requests after a 429 without Retry-After.`,
        );
      if (called.reply !== undefined) assertError(called, 429, "rate_limited");
    }),
  ]),
]);

/** In milliseconds. */
const timeout = 1_000;
/** A client may need this long to end a call. */
const latest = timeout + 2_500;
/** The service responds later than that. */
const late = 6_000;

/** What makes a call late: for a client without timeouts, one late response is all that it waits for. */
const lateOptions = ({ capabilities }: ClientTester, disturbance: Disturbance): CallOptions =>
  capabilities.timeouts
    ? { timeout, disturb: Array(20).fill(disturbance) }
    : { disturb: [disturbance], replyTimeout: retryTimeout };

/** Notes that a call did not end at its timeout, which no requirement says. */
function adviseTimeout({ information }: ClientTester, called: RecordedCall): void {
  if (called.call.timeout !== undefined && called.milliseconds > latest)
    information.add("The client does not end a call at its timeout, although its driver declares timeouts.");
}

export const timeoutChecks = waiting([
  check(
    "ERR-15",
    "after a late response, a call ends with a result or an error",
    [slow(late), stalls(late)].map((disturbance) =>
      testCase(`the service ${disturbance.title}`, { operation: "listNewsletterLists" }, async (tester) => {
        const called = await tester.call("listNewsletterLists", lateOptions(tester, disturbance));
        assertReply(called);
        adviseTimeout(tester, called);
      }),
    ),
  ),
  check(
    ["IDEM-5", "IDEM-10"],
    "after a timeout, the same call with the same idempotency key sends nothing twice",
    { operation: "sendEmail" },
    async (tester) => {
      const options = keyedBody("sendEmail");
      const called = await tester.call("sendEmail", { ...options, ...lateOptions(tester, slow(late)) });
      adviseTimeout(tester, called);
      void (await tester.call("sendEmail", options)).about("IDEM-10").result;
    },
  ),
  check("IDEM-5", "after a timeout, a call without a given idempotency key is not repeated without one", [
    testCase("", { operation: "sendEmail" }, async (tester) => {
      assertReply(await tester.call("sendEmail", { body: newMessage(), ...lateOptions(tester, slow(late)) }));
    }),
  ]),
]);
