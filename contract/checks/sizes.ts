import { limits } from "../../generated/limits.ts";
import { assert } from "../engine/assert.ts";
import { type Check, caseOf, check, scenario, testCase } from "../engine/check.ts";
import type { Tester } from "../engine/tester.ts";
import { isSuccess } from "../exchange.ts";
import {
  assertEqual,
  assertProperty,
  assertSuccess,
  bodyOf,
  idOf,
  requestOk,
} from "../support/assertions.ts";
import { addContact, listId, lookUpContact, membership, needsList, upsert } from "../support/contacts.ts";
import { bytesOf, receivedBy } from "../support/mail.ts";
import {
  assertStatus,
  batchEntries,
  batchOf,
  emailNeeds,
  latest,
  lookUpMessage,
  message,
  newRecipient,
  pollUntilSent,
  sentStatuses,
  simulatedRecipient,
  unordered,
} from "../support/messages.ts";
import { newIdempotencyKey } from "../support/requests.ts";

type Json = Record<string, unknown>;

/** As many of something, by their index. */
const some = <Item>(length: number, create: (index: number) => Item): Item[] =>
  Array.from({ length }, (_, index) => create(index));

/** Together more than a megabyte. */
const longHtml = `<p>${"Bread and cake. ".repeat(800)}</p>`;

/** A batch of the maximum size and its replay: each message has its own subject, recipient and tags, some have a suppressed recipient. */
const largestBatch = scenario("a batch of the maximum size", emailNeeds, async (tester) => {
  const { suppressed = [], recipientDomain } = tester.settings.fixtures;
  const messages = some(limits.batchMessages, (index) => {
    const own = recipientDomain === undefined ? simulatedRecipient(tester) : newRecipient(tester);
    const gone = index % 7 === 3 ? suppressed.slice(0, 1) : [];
    return {
      gone,
      sent: message(tester, { to: [own, ...gone], tags: { index: `${index}` }, html: longHtml }),
    };
  });
  const options = { body: batchOf(...messages.map(({ sent }) => sent)), headers: newIdempotencyKey(tester) };
  const response = await requestOk(tester, "sendBatch", options);
  const ids = batchEntries(response).map(({ id }) => String(id));
  const lookups = await Promise.all(ids.map((id) => tester.request("getEmail", { path: { id } })));
  return { messages, ids, response, lookups, replay: await tester.request("sendBatch", options) };
});

type Batch = Awaited<ReturnType<typeof largestBatch>>;

const ofBatch = (ids: string | string[], title: string, run: (batch: Batch, tester: Tester) => unknown) =>
  check(ids, `${title}, also in the largest batch`, [caseOf(largestBatch, "", { core: false }, run)]);

/** Whether `to` of a record has the suppressed recipients is unspecified. */
const recipientsIn = ({ to }: Json, gone: readonly string[]): unknown =>
  unordered(Array.isArray(to) ? to.filter((one) => !gone.includes(String(one))) : to);

const ofMessages = (ids: string | string[], title: string, name: "subject" | "tags" | "to"): Check =>
  ofBatch(ids, title, ({ messages, lookups }) => {
    for (const [index, lookup] of lookups.filter(isSuccess).entries()) {
      const { sent = {}, gone = [] } = messages[lookups.indexOf(lookup)] ?? {};
      const [found, expected] = [bodyOf(lookup), sent].map((one) =>
        name === "to" ? recipientsIn(one, gone) : one[name],
      );
      assertEqual(lookup, `${name} of message ${index}`, found, expected);
    }
  });

const batches: Check[] = [
  ofBatch("BATCH-3", "a batch of more than a megabyte is accepted", ({ response }) =>
    assertSuccess(response),
  ),
  ofBatch("BATCH-9", "the response has one entry per message", ({ response, messages }) =>
    assertEqual(response, "number of entries", batchEntries(response).length, messages.length),
  ),
  ofMessages(["BATCH-10", "LOOK-5"], "each message has its subject", "subject"),
  ofMessages("LOOK-4", "each message has its recipients", "to"),
  ofMessages("LOOK-6", "each message has its tags", "tags"),
  ofBatch("BATCH-12", "each entry lists its suppressed recipients", ({ response, messages }) => {
    for (const [index, { suppressed }] of batchEntries(response).entries())
      assertEqual(response, `suppressed of entry ${index}`, suppressed, messages[index]?.gone);
  }),
  ofBatch("BATCH-13", "each message can be looked up", ({ lookups, ids }) => {
    for (const [index, lookup] of lookups.entries()) {
      assertSuccess(lookup);
      assertProperty(lookup, "id", ids[index]);
    }
  }),
  ofBatch("BATCH-14", "the messages are sent within moments", async ({ ids }, tester) => {
    for (const id of ids.filter((_, index) => index % 9 === 0))
      assertStatus(latest(await pollUntilSent(tester, id)), ...sentStatuses);
  }),
  ofBatch("IDEM-1", "a replay is the original response", ({ response, replay }) =>
    assertEqual(replay, "body of the first response", replay.json, response.json),
  ),
];

const needs = [...emailNeeds, "recipientDomain"] as const;

/** Two files have one name. */
const fullestMessage = scenario("a message with every maximum", needs, async (tester) => {
  const [to, cc, bcc] = some(3, () => some(limits.recipientsPerField, () => newRecipient(tester)));
  const texts = (length: number, name: string, size: number) =>
    Object.fromEntries(some(length, (index) => [`${name}-${index}`, `${index}`.padEnd(size, "é")]));
  const files = some(limits.attachments, (index) => ({
    filename: `${index % (limits.attachments - 1)}.txt`,
    content: Buffer.from(`File ${tester.run.unique()}`).toString("base64"),
  }));
  const body = message(tester, {
    ...{ to, cc, bcc, subject: "é".repeat(limits.subjectLength), attachments: files },
    tags: texts(limits.messageTags, "tag", limits.messageTagValueLength),
    headers: texts(limits.extraHeaders, "X-Contract", limits.messageTagValueLength),
  });
  const response = await requestOk(tester, "sendEmail", { body });
  return { body, files, cc, bcc, response, record: await lookUpMessage(tester, idOf(response)) };
});

type Fullest = Awaited<ReturnType<typeof fullestMessage>>;

const ofFullest = (ids: string | string[], title: string, run: (sent: Fullest, tester: Tester) => unknown) =>
  check(ids, title, [caseOf(fullestMessage, "every maximum at once", { core: false }, run)]);

const messages: Check[] = [
  ofFullest(
    ["SEND-7", "SEND-18", "SEND-19", "SEND-21", "SEND-25"],
    "a message with every maximum is accepted",
    ({ response }) => assertSuccess(response),
  ),
  ofFullest("LOOK-4", "a record has as many recipients as a message can have", ({ body, record }) =>
    assertEqual(record, "to", unordered(bodyOf(record).to), unordered(body.to)),
  ),
  ofFullest("LOOK-6", "a record has as many and as long tags as a message can have", ({ body, record }) =>
    assertProperty(record, "tags", body.tags),
  ),
  check("ATT-1", "each file of a message arrives", { needs: ["mailbox"] }, [
    caseOf(fullestMessage, "the largest number", { core: false }, async ({ body, files, record }, tester) => {
      const [recipient] = body.to as [string];
      const { attachments } = await receivedBy(tester, recipient);
      const arrived = attachments.map(bytesOf);
      const lost = files.findIndex(({ content }) => !arrived.includes(content));
      assert(lost < 0, record, {
        expected: `a mail with ${files.length} files`,
        found: `${arrived.length} files, without file ${lost + 1}`,
      });
    }),
  ]),
  check(
    ["SEND-18", "SEND-19"],
    "the last of the recipients in cc and bcc gets the message",
    { needs: ["mailbox"] },
    [
      caseOf(fullestMessage, "the largest number", { core: false }, async ({ cc, bcc }, tester) => {
        for (const last of [cc, bcc]) await receivedBy(tester, String(last?.at(-1)));
      }),
    ],
  ),
  check("SEND-34", "the response lists as many suppressed recipients as a message can have", [
    testCase("", { core: false, needs: [...needs, "hooks.suppress"] }, async (tester) => {
      const gone = some(limits.recipientsPerField - 1, () => newRecipient(tester));
      for (const email of gone) await tester.hook("suppress", { email });
      const body = message(tester, { to: [simulatedRecipient(tester), ...gone] });
      const response = await requestOk(tester, "sendEmail", { body });
      assertEqual(response, "suppressed", unordered(bodyOf(response).suppressed), unordered(gone));
    }),
  ]),
  check("CONT-16", "a contact can have more tags than a request", [
    testCase("", { core: false, needs: needsList }, async (tester) => {
      const [first, second] = some(2, (write) =>
        some(limits.contactTags, (index) => `tag-${write}-${index}`),
      );
      const email = await addContact(tester, { tags: first });
      await upsert(tester, email, listId(tester, "plain"), { tags: second });
      const record = await lookUpContact(tester, email);
      const { tags } = membership(record, listId(tester, "plain"));
      assertEqual(record, "tags", unordered(tags), unordered([...(first ?? []), ...(second ?? [])]));
    }),
  ]),
];

/** The largest batches and messages, and what they must not lose. */
export const sizes: Check[] = [...batches, ...messages];
