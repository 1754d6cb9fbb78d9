import type { OperationId } from "../../generated/operations.ts";
import { assert, configured, NotVerified } from "../engine/assert.ts";
import { type Check, caseOf, check, scenario, type TestCase, testCase } from "../engine/check.ts";
import type { Role } from "../engine/settings.ts";
import type { Tester } from "../engine/tester.ts";
import { type Exchange, isSuccess } from "../exchange.ts";
import {
  assertEqual,
  assertError,
  assertFieldError,
  assertRejected,
  format,
  idOf,
  requestOk,
} from "../support/assertions.ts";
import { newContact } from "../support/contacts.ts";
import { entriesOf, listsOf, plainListOf } from "../support/lists.ts";
import {
  batchOf,
  emailNeeds,
  idInBatch,
  lookUpMessage,
  message,
  messageOfOther,
  operationOf,
  type SendKind,
  secondsAhead,
  sendBy,
  sender,
  senderOf,
  sendKinds,
  stateOf,
  templateMessage,
  trackedMessage,
} from "../support/messages.ts";
import { assertCounts, burstCase } from "../support/rate-limit.ts";
import {
  assertNotReplayed,
  casePerOperation,
  idempotent,
  newIdempotencyKey,
  requestToReject,
  requestWithKey,
  validRequest,
} from "../support/requests.ts";
import { canceledMessage, changeMessage, hour } from "../support/scheduled-messages.ts";
import { casePerChange } from "./authentication.ts";
import { isolatedContacts } from "./isolation-contacts.ts";

const key = "otherAccount";

/** Messages of the main account that are not scheduled: whether one exists is not visible either. */
const messages: Record<string, (tester: Tester) => Promise<string>> = {
  "a sent message": async (tester) => (await trackedMessage("success")(tester)).id,
  "a bounced message": async (tester) => (await trackedMessage("bounce")(tester)).id,
  "a canceled message": async (tester) => (await canceledMessage(tester)).id,
  "a message of a batch": (tester) => idInBatch(tester, "success"),
};

const operationsOfMessage = ["getEmail", "rescheduleEmail", "cancelEmail"] as const;

const messageCases: TestCase[] = Object.entries(messages).flatMap(([title, idOf]) =>
  operationsOfMessage.map((operation) =>
    testCase(`${operation}, ${title}`, { operation, needs: emailNeeds }, async (tester) => {
      const id = await idOf(tester);
      const exchange =
        operation === "getEmail"
          ? await tester.request(operation, { key, path: { id } })
          : await changeMessage[operation](tester, id, key);
      assertError(exchange, 404, "not_found");
    }),
  ),
);

/** Requests of the main account for a scheduled message of the other account, and the message afterwards. */
const requestsForMessageOfOther = scenario(
  "requests for a message of another account",
  emailNeeds,
  async (tester) => {
    const body = messageOfOther(tester, { scheduled_at: secondsAhead(tester, hour) });
    const id = idOf(await requestOk(tester, "sendEmail", { key, body }));
    const before = await lookUpMessage(tester, id, key);
    const responses = {
      getEmail: await tester.request("getEmail", { path: { id } }),
      rescheduleEmail: await changeMessage.rescheduleEmail(tester, id),
      cancelEmail: await changeMessage.cancelEmail(tester, id),
    };
    const after = await lookUpMessage(tester, id, key);
    await changeMessage.cancelEmail(tester, id, key);
    return { before, responses, after };
  },
);

/** The same between the accounts in the other direction. */
const reverseCases: TestCase[] = operationsOfMessage.map((operation) =>
  caseOf(
    requestsForMessageOfOther,
    `${operation}, in the other direction`,
    { operation, core: false },
    ({ responses, before, after }) => {
      assertError(responses[operation], 404, "not_found");
      assertEqual(after, "the unchanged message", stateOf(after), stateOf(before));
    },
  ),
);

const ofFields: TestCase[] = [
  testCase(
    "the custom fields listed for an account are its own",
    { operation: "listCustomFields" },
    async (tester) => {
      const listing = await requestOk(tester, "listCustomFields", { key });
      const keys = entriesOf(listing, "fields")
        .slice(0, mostFields)
        .map((field) => String(field.key));
      if (keys.length === 0) return;
      // A null is a value of every type, but only the account's own fields have values.
      assert(isSuccess(await upsertAtOther(tester, keys)), listing, {
        expected: "only custom fields that values can be sent for",
        found: format(keys),
      });
    },
  ),
  testCase(
    "a custom field of another account",
    { operation: "upsertContact", needs: ["fields.text"] },
    async (tester) => {
      const listing = await requestOk(tester, "listCustomFields", { key });
      const ofOther = entriesOf(listing, "fields").map((one) => one.key);
      const field = Object.values(configured(tester.settings.fixtures.fields, "fields")).find(
        (one) => !ofOther.includes(one),
      );
      if (field === undefined)
        throw new NotVerified(`The account of keys.${key} has the same custom fields.`);
      assertFieldError(await upsertAtOther(tester, [field]), "fields");
    },
  ),
];

/** What a request may have values for. */
const mostFields = 20;

async function upsertAtOther(tester: Tester, keys: readonly string[]): Promise<Exchange> {
  const fields = Object.fromEntries(keys.map((one) => [one, null]));
  const body = { email: newContact(tester), list_id: await plainListOf(tester, key), fields };
  return tester.request("upsertContact", { key, body });
}

/** A message that must be rejected, sent in each of these ways. */
const sendCases = (
  messageOf: (tester: Tester) => Record<string, unknown>,
  assertRejection: (exchange: Exchange) => void,
  { sentWith = key as Role, kinds = sendKinds as readonly SendKind[], title = "" } = {},
): TestCase[] =>
  kinds.map((kind) =>
    testCase(`${title}${kind}`, { operation: operationOf(kind), core: false }, async (tester) =>
      assertRejection(await sendBy(tester, kind, [messageOf(tester)], sentWith)),
    ),
  );

const assertDomainRejected = (exchange: Exchange): void =>
  assertError(exchange, [403, 422], "send_rejected", "from", "emails.0.from");

/** From the domain of the other account, with the template of the main one. */
const messageFromTemplate = (tester: Tester): Record<string, unknown> =>
  templateMessage(tester, configured(tester.settings.fixtures.template, "template"), {
    from: senderOf(tester, key),
  });

/** A valid body for the other account. */
async function bodyOfOther(tester: Tester, operation: OperationId): Promise<Record<string, unknown>> {
  if (operation === "upsertContact")
    return { email: newContact(tester), list_id: await plainListOf(tester, key) };
  const body = messageOfOther(tester);
  return operation === "sendBatch" ? batchOf(body) : body;
}

/** The list or the domain in the request belongs to the first account. */
function assertNotOwn(exchange: Exchange, operation: OperationId): void {
  if (operation === "upsertContact") assertError(exchange, 404, "not_found", "list_id");
  else assertDomainRejected(exchange);
}

/** Accounts do not use up each other's idempotency keys and rate limits. */
const isolatedLimits: Check[] = [
  check(
    "IDEM-6",
    "another account does not get the response to the same request with the same idempotency key",
    { needs: ["keys.otherAccount"] },
    casePerOperation(idempotent, [], async (tester, operation) => {
      const options = await requestWithKey(tester, operation);
      await requestOk(tester, operation, options);
      const exchange = await tester.request(operation, { ...options, key });
      assertNotReplayed(exchange);
      assertNotOwn(exchange, operation);
    }),
  ),
  check(
    "IDEM-6",
    "an idempotency key of another account is new",
    { needs: ["keys.otherAccount"] },
    casePerOperation(idempotent, [], async (tester, operation) => {
      const headers = newIdempotencyKey(tester);
      await requestOk(tester, operation, { ...(await validRequest(tester, operation)), headers });
      const body = await bodyOfOther(tester, operation);
      assertNotReplayed(await requestOk(tester, operation, { key, body, headers }));
    }),
  ),
  check(
    "LIMIT-2",
    "requests of another account do not count toward the rate limit",
    { needs: ["keys.otherAccount"], alone: true },
    [
      testCase("getMe", { core: false }, (tester) => assertCounts(tester, "otherAccount")),
      testCase("listNewsletterLists", { core: false, needs: ["lists.otherAccount"] }, (tester) =>
        assertCounts(tester, "otherNewsletter"),
      ),
    ],
  ),
  check(
    "LIMIT-1",
    "an exhausted rate limit does not apply to other accounts",
    { needs: ["keys.otherAccount"], tags: ["burst"] },
    [
      burstCase("", "otherAccount", (exchange) =>
        assert(isSuccess(exchange), exchange, {
          expected: "success for another account",
          found: `status ${exchange.status}`,
        }),
      ),
    ],
  ),
];

/** Accounts see nothing of each other. */
export const isolation: Check[] = [
  check("AUTH-2", "a key cannot access the data of another account", { needs: ["keys.otherAccount"] }, [
    ...casePerOperation(
      ["getEmail", "rescheduleEmail", "cancelEmail", "upsertContact", "getContact", "unsubscribeContact"],
      ["getEmail", "getContact"],
      async (tester, operation) => {
        const options = await requestToReject(tester, operation);
        assertError(await tester.request(operation, { ...options, key }), 404, "not_found", "list_id");
      },
    ),
    ...messageCases,
    ...reverseCases,
    testCase(
      "the lists of another account are not listed",
      { operation: "listNewsletterLists", needs: ["lists.plain"] },
      async (tester) => {
        const { otherAccount: _, ...own } = tester.settings.fixtures.lists ?? {};
        const { exchange, lists } = await listsOf(tester, key);
        assert(!lists.some(({ id }) => Object.values(own).includes(id)), exchange, {
          expected: `none of the lists ${Object.values(own).join(", ")} of another account`,
          found: format(lists),
        });
      },
    ),
    ...ofFields,
  ]),
  check(
    "AUTH-2",
    "a request for the data of another account changes nothing",
    {
      needs: ["keys.otherAccount"],
    },
    casePerChange(key, 404, "not_found"),
  ),
  check(
    "AUTH-17",
    "a send from a domain of another account is rejected with send_rejected",
    { needs: ["keys.otherAccount", ...emailNeeds] },
    [
      ...sendCases((tester) => message(tester, { from: sender(tester) }), assertDomainRejected),
      ...sendCases(messageOfOther, assertDomainRejected, {
        sentWith: "full",
        kinds: ["sendEmail, scheduled"],
        title: "in the other direction, ",
      }),
    ],
  ),
  check(
    "SEND-14",
    "a template of another account is rejected",
    { needs: ["keys.otherAccount", "template", ...emailNeeds] },
    sendCases(messageFromTemplate, (exchange) =>
      assertRejected(exchange, "template_id", "emails.0.template_id"),
    ),
  ),
  ...isolatedContacts,
  ...isolatedLimits,
];
