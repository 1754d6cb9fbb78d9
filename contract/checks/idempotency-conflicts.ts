import type { OperationId } from "../../generated/operations.ts";
import { configured } from "../engine/assert.ts";
import { type Check, check, type TestCase, testCase } from "../engine/check.ts";
import type { Tester } from "../engine/tester.ts";
import { isSuccess } from "../exchange.ts";
import { assertEqual, assertError, assertSuccess, requestOk } from "../support/assertions.ts";
import { newContact } from "../support/contacts.ts";
import { needs, newIdempotencyKey } from "../support/idempotency.ts";
import { batchOf, message, secondsAhead } from "../support/messages.ts";
import { quotaNeeds } from "../support/quota-account.ts";
import { assertNotCharged, measurements } from "../support/quota-charges.ts";

type Body = Record<string, unknown>;

const contactBody = (tester: Tester): Body => ({
  email: newContact(tester),
  list_id: configured(tester.settings.fixtures.lists?.plain, "lists.plain"),
  first_name: "First",
});

/** Two bodies for one operation that differ in one value. */
interface BodyPair {
  title: string;
  operation: OperationId;
  bodies(tester: Tester): readonly [Body, Body];
}

const variantsOfBody: BodyPair[] = [
  {
    title: "sendEmail: different text",
    operation: "sendEmail",
    bodies: (tester) => twice(message(tester), (body) => ({ ...body, text: "Another text." })),
  },
  {
    title: "sendEmail: tags",
    operation: "sendEmail",
    bodies: (tester) => twice(message(tester), (body) => ({ ...body, tags: { order: "1042" } })),
  },
  {
    title: "sendBatch: different last message",
    operation: "sendBatch",
    bodies: (tester) => {
      const [first, last] = [message(tester), message(tester)];
      return [batchOf(first, last), batchOf(first, { ...last, text: "Another text." })];
    },
  },
  {
    title: "upsertContact: different name",
    operation: "upsertContact",
    bodies: (tester) => twice(contactBody(tester), (body) => ({ ...body, first_name: "Second" })),
  },
];

const twice = (body: Body, change: (body: Body) => Body): readonly [Body, Body] => [body, change(body)];

const needsOf = (operation: OperationId) =>
  operation === "upsertContact" ? (["lists.plain"] as const) : needs;

/** Two concurrent requests with one key: one may be rejected, but two successes must be one send. */
const concurrentCase = (operation: OperationId, bodyOf: (tester: Tester) => Body): TestCase =>
  testCase(operation, { operation, core: false, needs }, async (tester) => {
    const options = { body: bodyOf(tester), headers: newIdempotencyKey(tester) };
    const responses = await Promise.all([
      tester.request(operation, options),
      tester.request(operation, options),
    ]);
    const [one, other] = responses.filter(isSuccess);
    if (one !== undefined && other !== undefined)
      assertEqual(other, "body of the other response", other.json, one.json);
  });

/** Idempotency keys in cases in which a server may compare too little. */
export const idempotencyConflicts: Check[] = [
  check(
    "IDEM-1",
    "the same request gets the original response, also for scheduled sends and after other changes",
    [
      testCase("sendEmail, scheduled", { operation: "sendEmail", core: false, needs }, async (tester) => {
        const body = message(tester, { scheduled_at: secondsAhead(tester, 3600) });
        await assertRepeated(tester, "sendEmail", body);
      }),
      testCase(
        "upsertContact, updated in between",
        { operation: "upsertContact", core: false, needs: ["lists.plain"] },
        async (tester) => {
          const body = contactBody(tester);
          await assertRepeated(tester, "upsertContact", body, { ...body, first_name: "Second" });
        },
      ),
    ],
  ),
  check(
    "IDEM-2",
    "a body that differs in one value is rejected with 409 idempotency_conflict",
    variantsOfBody.map(({ title, operation, bodies }) =>
      testCase(title, { operation, core: false, needs: needsOf(operation) }, async (tester) => {
        const [body, other] = bodies(tester);
        const headers = newIdempotencyKey(tester);
        await requestOk(tester, operation, { headers, body });
        assertError(await tester.request(operation, { headers, body: other }), 409, "idempotency_conflict");
      }),
    ),
  ),
  check("IDEM-2", "a request rejected as a conflict has no effect", [
    testCase(
      "sendEmail and sendBatch",
      { operation: "sendEmail", core: false, needs: quotaNeeds },
      async (tester) =>
        assertNotCharged(await measurements(tester), "conflict", "a request rejected as a conflict"),
    ),
    testCase(
      "upsertContact",
      { operation: "upsertContact", core: false, needs: ["lists.plain"] },
      async (tester) => {
        const headers = newIdempotencyKey(tester);
        await requestOk(tester, "upsertContact", { headers, body: contactBody(tester) });
        const body = contactBody(tester);
        assertError(await tester.request("upsertContact", { headers, body }), 409, "idempotency_conflict");
        assertError(
          await tester.request("getContact", { path: { email: String(body.email) } }),
          404,
          "not_found",
        );
      },
    ),
  ]),
  check("IDEM-8", "two concurrent requests with one key are not both processed", [
    concurrentCase("sendEmail", message),
    concurrentCase("sendBatch", (tester) => batchOf(message(tester))),
  ]),
];

/** The same request gets the same response, even after another request in between. */
async function assertRepeated(
  tester: Tester,
  operation: OperationId,
  body: Body,
  between?: Body,
): Promise<void> {
  const options = { body, headers: newIdempotencyKey(tester) };
  const first = await requestOk(tester, operation, options);
  if (between !== undefined) await requestOk(tester, operation, { body: between });
  const second = await tester.request(operation, options);
  assertSuccess(second);
  assertEqual(second, "status", second.status, first.status);
  assertEqual(second, "body of the first response", second.json, first.json);
}
