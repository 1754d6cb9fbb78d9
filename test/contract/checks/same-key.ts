import type { OperationId } from "../../../generated/operations.ts";
import { configured } from "../engine/assert.ts";
import { type Check, check, type TestCase } from "../engine/check.ts";
import { isSuccess } from "../engine/exchange.ts";
import type { Tester } from "../engine/tester.ts";
import { needs, newKey } from "./keyed.ts";
import {
  assertEqual,
  assertError,
  assertSuccess,
  batchOf,
  message,
  newContact,
  requestOk,
  secondsAhead,
} from "./kit.ts";

type Body = Record<string, unknown>;

const contactBody = (tester: Tester): Body => ({
  email: newContact(tester),
  list_id: configured(tester.settings.fixtures.lists?.plain, "lists.plain"),
  first_name: "First",
});

/** Two bodies for one call that differ in one place. */
interface Twins {
  title: string;
  operation: OperationId;
  bodies(tester: Tester): readonly [Body, Body];
}

const twins: Twins[] = [
  {
    title: "sendEmail: another text",
    operation: "sendEmail",
    bodies: (tester) => twice(message(tester), (body) => ({ ...body, text: "Another text." })),
  },
  {
    title: "sendEmail: tags",
    operation: "sendEmail",
    bodies: (tester) => twice(message(tester), (body) => ({ ...body, tags: { order: "1042" } })),
  },
  {
    title: "sendBatch: another last message",
    operation: "sendBatch",
    bodies: (tester) => {
      const [first, last] = [message(tester), message(tester)];
      return [batchOf(first, last), batchOf(first, { ...last, text: "Another text." })];
    },
  },
  {
    title: "upsertContact: another name",
    operation: "upsertContact",
    bodies: (tester) => twice(contactBody(tester), (body) => ({ ...body, first_name: "Second" })),
  },
];

const twice = (body: Body, change: (body: Body) => Body): readonly [Body, Body] => [body, change(body)];

const needsOf = (operation: OperationId) =>
  operation === "upsertContact" ? (["lists.plain"] as const) : needs;

/** Two requests with one key at the same time: one may be refused, and where both succeed it is one piece of work. */
const atOnce = (operation: OperationId, bodyOf: (tester: Tester) => Body): TestCase => ({
  title: operation,
  operation,
  core: false,
  needs,
  run: async (tester) => {
    const asked = { body: bodyOf(tester), headers: newKey(tester) };
    const answers = await Promise.all([tester.request(operation, asked), tester.request(operation, asked)]);
    const [one, other] = answers.filter(isSuccess);
    if (one !== undefined && other !== undefined)
      assertEqual(other, "the body of the other answer,", other.json, one.json);
  },
});

/** What one idempotency key brings, in cases where a server may look too little at what came before. */
export const sameKey: Check[] = [
  check(
    "IDEM-1",
    "the original answer is what the same request gets, for later sends and after other changes too",
    [
      {
        title: "sendEmail, for later",
        operation: "sendEmail",
        core: false,
        needs,
        run: async (tester) => {
          const body = message(tester, { scheduled_at: secondsAhead(tester, 3600) });
          await isRepeated(tester, "sendEmail", body);
        },
      },
      {
        title: "upsertContact, updated in between",
        operation: "upsertContact",
        core: false,
        needs: ["lists.plain"],
        run: async (tester) => {
          const body = contactBody(tester);
          await isRepeated(tester, "upsertContact", body, { ...body, first_name: "Second" });
        },
      },
    ],
  ),
  check(
    "IDEM-2",
    "a body that differs in one place is another one, and is refused with 409 idempotency_conflict",
    twins.map(({ title, operation, bodies }) => ({
      title,
      operation,
      core: false,
      needs: needsOf(operation),
      run: async (tester) => {
        const [body, other] = bodies(tester);
        const headers = newKey(tester);
        await requestOk(tester, operation, { headers, body });
        assertError(await tester.request(operation, { headers, body: other }), 409, "idempotency_conflict");
      },
    })),
  ),
  check(
    "IDEM-2",
    "what is refused as a conflict is not done",
    [
      {
        title: "upsertContact",
        operation: "upsertContact",
        core: false,
        run: async (tester) => {
          const headers = newKey(tester);
          await requestOk(tester, "upsertContact", { headers, body: contactBody(tester) });
          const body = contactBody(tester);
          assertError(await tester.request("upsertContact", { headers, body }), 409, "idempotency_conflict");
          assertError(
            await tester.request("getContact", { path: { email: String(body.email) } }),
            404,
            "not_found",
          );
        },
      },
    ],
    { needs: ["lists.plain"] },
  ),
  check("IDEM-8", "two requests with one key at the same time are not both done", [
    atOnce("sendEmail", message),
    atOnce("sendBatch", (tester) => batchOf(message(tester))),
  ]),
];

/** The same request is answered as it was before, whatever another one changed in between. */
async function isRepeated(tester: Tester, operation: OperationId, body: Body, between?: Body): Promise<void> {
  const asked = { body, headers: newKey(tester) };
  const first = await requestOk(tester, operation, asked);
  if (between !== undefined) await requestOk(tester, operation, { body: between });
  const second = await tester.request(operation, asked);
  assertSuccess(second);
  assertEqual(second, "status", second.status, first.status);
  assertEqual(second, "the body of the first answer,", second.json, first.json);
}
