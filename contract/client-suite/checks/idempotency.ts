import { type ClientCheck, check, testCase } from "../engine/client-tester.ts";
import { differenceOf } from "../engine/compare.ts";
import { requirementOf } from "../engine/reply-checks.ts";
import { assertError } from "../support/assertions.ts";
import { everyAscii, idempotentOperations, newBody, newIdempotencyKey } from "../support/samples.ts";

const keys = ["order 1042 / receipt #1", everyAscii, "k".repeat(256), "0", "ORDER-1042", "order-1042"];

const onlySends = Array<"sendEmail">(4).fill("sendEmail");
const severalSends = ["sendEmail", "sendBatch", "sendBatch", ...onlySends] as const;

export const idempotencyChecks: ClientCheck[] = [
  check("IDEM-5", "a given idempotency key is sent unchanged", [
    testCase("", { operation: "sendEmail" }, async (tester) => {
      for (const idempotencyKey of keys)
        void (await tester.call("sendEmail", { body: newBody("sendEmail"), idempotencyKey })).result;
    }),
  ]),
  check("IDEM-5", "each call has an idempotency key of its own", [
    testCase("", { operation: "sendEmail" }, async (tester) => {
      const isAutomatic = tester.capabilities.idempotencyKeys === "automatic";
      const seen = new Set<string>();
      const sends = tester.capabilities.operations.includes("sendBatch") ? severalSends : onlySends;
      for (const [index, operation] of sends.entries()) {
        const options = {
          body: newBody(operation),
          ...(!isAutomatic && { idempotencyKey: newIdempotencyKey() }),
        };
        // The first and the last client are others, as after a restart.
        const called = await (index === 0 || index === sends.length - 1
          ? tester.callAt(tester.baseUrl, operation, options)
          : tester.call(operation, options));
        const key = called.request.headers["idempotency-key"];
        const expected = isAutomatic
          ? "an idempotency key: the driver declares that the client creates them"
          : "the idempotency key of the call";
        called.assert(key !== undefined && key !== "", expected, "none");
        called.assert(!seen.has(String(key)), "a new idempotency key", `${key}, as in an earlier call`);
        seen.add(String(key));
      }
    }),
  ]),
  check("IDEM-5", "two calls with equal bodies are two pieces of work", [
    testCase("", { operation: "upsertContact" }, async (tester) => {
      const body = newBody("upsertContact");
      const calls = [
        await tester.call("upsertContact", { body }),
        await tester.call("upsertContact", { body }),
      ];
      for (const called of calls) void called.about(requirementOf("upsertContact")).result;
      // Without keys, they are two anyway: that there are none is checked in every request.
      if (tester.capabilities.idempotencyKeys === "explicit") return;
      const [first, second] = calls.map(({ request }) => request.headers["idempotency-key"]);
      calls[1]?.assert(
        second !== undefined,
        "an idempotency key: the driver declares that the client creates them",
        "none",
      );
      calls[1]?.assert(first !== second, "another idempotency key", `${second}, as in the call before`);
    }),
  ]),
  check(
    ["IDEM-5", "ERR-2"],
    "a replayed response is returned like the original, and a conflict is an error",
    idempotentOperations.map((operation) =>
      testCase(operation, { operation }, async (tester) => {
        const idempotencyKey = newIdempotencyKey();
        const body = newBody(operation);
        const first = await tester.call(operation, { body, idempotencyKey });
        const second = await tester.call(operation, { body, idempotencyKey });
        const difference = differenceOf(
          first.about(requirementOf(operation)).result,
          second.about("IDEM-5").result,
        );
        second
          .about("IDEM-5")
          .assert(difference === undefined, "the original result", `a result in which ${difference}`);
        const other = await tester.call(operation, { body: newBody(operation), idempotencyKey });
        assertError(other.about("ERR-2"), 409, "idempotency_conflict");
      }),
    ),
  ),
];
