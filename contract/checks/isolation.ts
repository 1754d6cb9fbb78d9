import { limits } from "../../generated/limits.ts";
import type { OperationId } from "../../generated/operations.ts";
import { assert, configured, ifInRun, NotVerified } from "../engine/assert.ts";
import { type Check, check, type TestCase, testCase, withNeeds } from "../engine/check.ts";
import type { Role } from "../engine/settings.ts";
import type { Tester } from "../engine/tester.ts";
import { type Exchange, isSuccess } from "../exchange.ts";
import {
  assertEqual,
  assertError,
  assertFieldError,
  assertProperty,
  assertRejected,
  assertStatusCode,
  assertSuccess,
  bodyOf,
  entriesIn,
  format,
  idOf,
  requestOk,
} from "../support/assertions.ts";
import { burstCase } from "../support/burst.ts";
import {
  addContact,
  assertLists,
  assertMembershipStatus,
  assertNoContact,
  listId,
  lookUpContact,
  membership,
  needsList,
  newContact,
  unsubscribe,
} from "../support/contacts.ts";
import { plainListOf, readOnce } from "../support/lists.ts";
import { assertSenderRejected, messageCases, namesOf } from "../support/message-cases.ts";
import {
  batchOf,
  emailNeeds,
  hour,
  idInBatch,
  message,
  messageOfOther,
  publishedTemplate,
  secondsAhead,
  sender,
  senderOf,
  simulatedRecipient,
  trackedMessage,
} from "../support/messages.ts";
import { assertCounts, lackOf } from "../support/rate-limit.ts";
import {
  assertNotReplayed,
  casePerOperation,
  idempotent,
  newIdempotencyKey,
  requestToReject,
  requestWithKey,
  validRequest,
} from "../support/requests.ts";
import { canceledMessage, changeMessage, scheduledMessage } from "../support/scheduled-messages.ts";
import { suppressedRecipient } from "../support/suppressed-recipients.ts";
import { casePerChange } from "../support/unchanged.ts";

const key = "otherAccount";
const needsOther = ["keys.otherAccount"] as const;

/** Messages of the main account. */
const messages: Record<string, (tester: Tester) => Promise<string>> = {
  "a sent message": async (tester) => (await trackedMessage("success")(tester)).id,
  "a bounced message": async (tester) => (await trackedMessage("bounce")(tester)).id,
  "a scheduled message": async (tester) => (await scheduledMessage(tester)).id,
  "a canceled message": async (tester) => (await canceledMessage(tester)).id,
  "a message of a batch": (tester) => idInBatch(tester, "success"),
};

/** Ids of no message of any account. */
const nonexistent: typeof messages = {
  "a nonexistent id": async ({ run }) => `none-${run.unique()}`,
  "a nonexistent id of a scheduled message": async ({ run }) => `sched_${run.unique()}`,
  // The message exists, so that a pattern could match one.
  "a percent sign": (tester) => scheduledMessage(tester).then(() => "%"),
  "an asterisk": (tester) => scheduledMessage(tester).then(() => "*"),
};

/** The operations on one message, and the requirement that they find none of other accounts. */
const notFoundIds = { getEmail: "LOOK-23", rescheduleEmail: "SCHED-12", cancelEmail: "SCHED-18" } as const;
const operationsOfMessage = Object.keys(notFoundIds) as (keyof typeof notFoundIds)[];

const requestFor = (tester: Tester, operation: keyof typeof notFoundIds, id: string, by: Role) =>
  operation === "getEmail"
    ? tester.request(operation, { key: by, path: { id } })
    : changeMessage[operation](tester, id, by);

const notFoundCases = (operation: keyof typeof notFoundIds, ids: typeof messages, by: Role): TestCase[] =>
  Object.entries(ids).map(([title, idOf]) =>
    testCase(title, { operation }, async (tester) =>
      assertError(await requestFor(tester, operation, await idOf(tester), by), 404, "not_found"),
    ),
  );

const isolatedMessages = operationsOfMessage.flatMap((operation): Check[] => [
  check(
    notFoundIds[operation],
    `${operation}: an id of no message is rejected with 404 not_found`,
    notFoundCases(operation, nonexistent, "full"),
  ),
  check(
    ["AUTH-2", notFoundIds[operation]],
    `${operation}: a message of another account is rejected with 404 not_found`,
    { needs: [...needsOther, ...emailNeeds] },
    notFoundCases(operation, messages, key),
  ),
]);

const ofFields: TestCase[] = [
  testCase("the custom fields listed are its own", { operation: "listCustomFields" }, async (tester) => {
    const listing = await requestOk(tester, "listCustomFields", { key });
    const keys = entriesIn(listing, "fields").map((field) => String(field.key));
    if (keys.length === 0) return;
    // A null is a value of every type, but only the account's own fields have values.
    assert(isSuccess(await upsertAtOther(tester, keys)), listing, {
      expected: "only custom fields that values can be sent for",
      found: format(keys),
    });
  }),
  testCase(
    "a custom field of another account",
    { operation: "upsertContact", needs: ["fields.text"] },
    async (tester) => {
      const listing = await requestOk(tester, "listCustomFields", { key });
      const ofOther = entriesIn(listing, "fields").map((one) => one.key);
      const field = Object.values(configured(tester.settings.fixtures.fields, "fields")).find(
        (one) => !ofOther.includes(one),
      );
      if (field === undefined)
        throw new NotVerified(`The account of keys.${key} has the same custom fields.`);
      assertFieldError(await upsertAtOther(tester, [field]), "fields");
    },
  ),
];

async function upsertAtOther(tester: Tester, keys: readonly string[]): Promise<Exchange> {
  const fields = Object.fromEntries(keys.slice(0, limits.contactFields).map((one) => [one, null]));
  const body = { ...(await bodyOfOther(tester, "upsertContact")), fields };
  return tester.request("upsertContact", { key, body });
}

async function bodyOfOther(tester: Tester, operation: OperationId): Promise<Record<string, unknown>> {
  if (operation === "upsertContact")
    return { email: newContact(tester), list_id: await plainListOf(tester, key) };
  const body = messageOfOther(tester);
  return operation === "sendBatch" ? batchOf(body) : body;
}

/** Accounts do not use up each other's idempotency keys and rate limits. */
const isolatedLimits: Check[] = withNeeds(needsOther, [
  check(
    "IDEM-6",
    "another account does not get the response to the same request with the same idempotency key",
    casePerOperation(idempotent, [], async (tester, operation) => {
      const options = await requestWithKey(tester, operation);
      await requestOk(tester, operation, options);
      const exchange = await tester.request(operation, { ...options, key });
      assertNotReplayed(exchange);
      // The list or the domain in the request belongs to the first account.
      if (operation === "upsertContact") assertError(exchange, 404, "not_found", "list_id");
      else assertSenderRejected(exchange, [403, 422], ["emails.0.from"]);
    }),
  ),
  check(
    "IDEM-6",
    "an idempotency key of another account is new",
    casePerOperation(idempotent, [], async (tester, operation) => {
      const headers = newIdempotencyKey(tester);
      await requestOk(tester, operation, { ...(await validRequest(tester, operation)), headers });
      const body = await bodyOfOther(tester, operation);
      assertNotReplayed(await requestOk(tester, operation, { key, body, headers }));
    }),
  ),
  check("LIMIT-2", "requests of another account do not count toward the rate limit", { alone: true }, [
    testCase("getMe", { core: false }, (tester) => assertCounts(tester, "otherAccount")),
    testCase(
      "listNewsletterLists",
      {
        core: false,
        needs: ["lists.otherAccount"],
        isThere: (settings) => lackOf(settings, "otherNewsletter") === undefined,
      },
      (tester) => assertCounts(tester, "otherNewsletter"),
    ),
  ]),
  check("LIMIT-1", "an exhausted rate limit does not apply to other accounts", { tags: ["burst"] }, [
    burstCase("", "otherAccount", (response) => assertSuccess(response)),
  ]),
]);

/** What an account stores on a contact; no other account sees any of it. */
const detailsWith = (name: "Adalind" | "Gracelyn", { settings }: Tester) => {
  const { text } = settings.fixtures.fields ?? {};
  const fields = text !== undefined && name === "Adalind" ? { fields: { [text]: name } } : {};
  return { first_name: name, last_name: name, tags: [`contract-${name}`], ...fields };
};

/** Asserts that a contact is subscribed to a list and no other, with nothing that another account stored. */
function assertOwn(exchange: Exchange, list: number): void {
  assertMembershipStatus(exchange, "subscribed", list);
  assertLists(exchange, list);
  assertProperty(exchange, "marketing_blocked", false);
  assertWithout(exchange, "Gracelyn");
}

const assertWithout = (exchange: Exchange, name: string): void =>
  assert(!exchange.text.includes(name), exchange, {
    expected: "nothing that another account stored",
    found: format(exchange.json),
  });

/** Both accounts add a contact, each with its own details, and one of them unsubscribes it. */
async function assertSeparate(tester: Tester): Promise<void> {
  const [list, list_id] = [listId(tester, "plain"), await plainListOf(tester, key)];
  const addToOther = (email: string, details = {}) =>
    requestOk(tester, "upsertContact", { key, body: { email, list_id, ...details } });
  const assertAtOther = async (path: { email: string }): Promise<void> =>
    assertOwn(await requestOk(tester, "getContact", { key, path }), list_id);
  const email = await addContact(tester, detailsWith("Adalind", tester));
  const added = await addToOther(email);
  assertStatusCode(added, 201);
  assertWithout(added, "Adalind");
  await addToOther(email, detailsWith("Gracelyn", tester));
  await requestOk(tester, "unsubscribeContact", { key, path: { email }, body: {} });
  const found = await ifInRun(lookUpContact(tester, email));
  if (found !== undefined) {
    assertOwn(found, list);
    assertEqual(found, "first_name", membership(found, list).first_name, "Adalind");
  }
  const path = { email: newContact(tester) };
  await addToOther(path.email);
  await ifInRun(assertNoContact(tester, path.email));
  assertError(await tester.request("unsubscribeContact", { path, body: {} }), 404, "not_found");
  await ifInRun(assertAtOther(path));
  for (const isFirst of [true, false]) {
    const path = { email: await addContact(tester) };
    if (isFirst) await unsubscribe(tester, path.email);
    assertMembershipStatus(await addToOther(path.email), "subscribed", list_id);
    if (!isFirst) await unsubscribe(tester, path.email);
    await ifInRun(assertAtOther(path));
  }
}

/** A request with the key of another account is rejected, since the account does not have what it is about. */
const isolatedContacts: Check[] = withNeeds(needsOther, [
  check(
    "AUTH-2",
    "a contact of several accounts is a separate contact of each",
    { operation: "upsertContact", core: false, needs: needsList },
    assertSeparate,
  ),
  check(
    ["AUTH-2", "CONT-26"],
    "a contact or a list of another account is not found",
    casePerOperation(
      ["getContact", "unsubscribeContact", "upsertContact"],
      ["getContact"],
      async (tester, operation) => {
        const options = await requestToReject(tester, operation);
        assertError(await tester.request(operation, { ...options, key }), 404, "not_found", "list_id");
      },
    ),
  ),
]);

const isolatedData: Check[] = withNeeds(needsOther, [
  check("AUTH-2", "a key cannot access the data of another account", [
    testCase(
      "the lists of another account are not listed",
      { operation: "listNewsletterLists", needs: ["lists.plain"] },
      async (tester) => {
        const { otherAccount: _, ...own } = tester.settings.fixtures.lists ?? {};
        const exchange = await readOnce(tester, "lists", key);
        const lists = entriesIn(exchange, "lists");
        const ids: unknown[] = Object.values(own);
        assert(!lists.some(({ id }) => ids.includes(id)), exchange, {
          expected: `none of the lists ${ids.join(", ")} of another account`,
          found: format(lists),
        });
      },
    ),
    ...ofFields,
  ]),
  check(
    ["AUTH-2", "SCHED-19"],
    "a request for the data of another account changes nothing",
    casePerChange(key, 404, "not_found"),
  ),
  check(
    "AUTH-2",
    "a send of one account does not suppress its suppressed recipients for another account",
    {
      needs: ["domains.ofRole.otherAccount", "suppressed", ...emailNeeds],
      alone: true,
      core: false,
    },
    async (tester) => {
      const to = [simulatedRecipient(tester), suppressedRecipient(tester)];
      // Nothing is sent: the messages are canceled.
      const scheduled = async (by: Role) => {
        const from = by === key ? senderOf(tester, key) : sender(tester);
        const body = message(tester, { from, to, scheduled_at: secondsAhead(tester, hour) });
        const exchange = await requestOk(tester, "sendEmail", { key: by, body });
        await changeMessage.cancelEmail(tester, idOf(exchange), by);
        return exchange;
      };
      const before = await scheduled(key);
      if (bodyOf(before).suppressed?.toString() !== "")
        throw new NotVerified("The recipient in suppressed is suppressed for keys.otherAccount, too.");
      await scheduled("full");
      assertProperty(await scheduled(key), "suppressed", []);
    },
  ),
  check(
    "SEND-14",
    "a template of another account is rejected",
    { needs: ["template", ...emailNeeds] },
    messageCases(
      (tester) => publishedTemplate(tester, { from: senderOf(tester, key) }),
      (exchange) => assertRejected(exchange, ...namesOf("template_id")),
      { key, fine: messageOfOther, core: false },
    ),
  ),
]);

export const isolation: Check[] = [
  ...isolatedData,
  ...isolatedMessages,
  ...isolatedContacts,
  ...isolatedLimits,
];
