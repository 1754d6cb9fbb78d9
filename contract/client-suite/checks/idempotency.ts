import type { OperationId } from "../../../generated/operations.ts";
import { type ClientCheck, check, testCase } from "../engine/client-tester.ts";
import { differenceText } from "../engine/compare.ts";
import { requirementOf } from "../engine/reply-checks.ts";
import { assertError } from "../support/assertions.ts";
import { everyAscii, idempotentOperations, newBody, newIdempotencyKey } from "../support/samples.ts";

const keys = ["order 1042 / receipt #1", everyAscii, "k".repeat(256), "0", "ORDER-1042", "order-1042"];

const contact = newBody("upsertContact");
/** Two of them have equal bodies: they are two sends. */
const writes: [operation: OperationId, body: unknown][] = [
  ["sendEmail", newBody("sendEmail")],
  ["sendBatch", newBody("sendBatch")],
  ["sendBatch", newBody("sendBatch")],
  ["upsertContact", contact],
  ["upsertContact", contact],
  ["sendEmail", newBody("sendEmail")],
];

export const idempotencyChecks: ClientCheck[] = [
  check("IDEM-5", "a given idempotency key is sent unchanged", { operation: "sendEmail" }, async (tester) => {
    for (const idempotencyKey of keys)
      void (await tester.call("sendEmail", { body: newBody("sendEmail"), idempotencyKey })).result;
  }),
  check("IDEM-5", "each call has an idempotency key of its own", async (tester) => {
    const isAutomatic = tester.capabilities.idempotencyKeys === "automatic";
    const seen = new Set<string>();
    const own = writes.filter(([operation]) => tester.capabilities.operations.includes(operation));
    for (const [index, [operation, body]] of own.entries()) {
      const options = { body, ...(!isAutomatic && { idempotencyKey: newIdempotencyKey() }) };
      // The first and the last client are others, as after a restart.
      const isRestarted = index === 0 || index === own.length - 1;
      const called = await (isRestarted
        ? tester.callAt(tester.baseUrl, operation, options)
        : tester.call(operation, options));
      const key = called.request.headers["idempotency-key"];
      const expected = isAutomatic
        ? "an idempotency key: the driver declares that the client creates them"
        : "the idempotency key of the call";
      called.assert(key !== undefined && key !== "", expected, "none");
      const repeated = `${key}, as in an earlier call${isRestarted ? ", before the client was started again" : ""}`;
      called.assert(!seen.has(String(key)), "a new idempotency key", repeated);
      seen.add(String(key));
    }
  }),
  check(
    ["IDEM-5", "ERR-2"],
    "a replayed response is returned like the original, and a conflict is an error",
    idempotentOperations.map((operation) =>
      testCase(operation, { operation }, async (tester) => {
        const idempotencyKey = newIdempotencyKey();
        const body = newBody(operation);
        const first = await tester.call(operation, { body, idempotencyKey });
        const second = await tester.call(operation, { body, idempotencyKey });
        const difference = differenceText(
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
