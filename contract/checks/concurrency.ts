import { type CaseOptions, type Check, check, testCase } from "../engine/check.ts";
import type { Tester } from "../engine/tester.ts";
import { type Exchange, isSuccess } from "../exchange.ts";
import { bodyOf, entriesIn } from "../support/assertions.ts";
import { listId, needsList, needsTwoLists, newContact, newContactBody, upsert } from "../support/contacts.ts";
import {
  batchEntries,
  batchOf,
  emailNeeds,
  eventsOfType,
  message,
  secondsAhead,
  send,
  senderOf,
  statusOf,
  unordered,
} from "../support/messages.ts";
import { chargeCase } from "../support/quota.ts";
import { type Attempt, performedOf, type Request, race } from "../support/races.ts";
import { needsOf, newIdempotencyKey } from "../support/requests.ts";
import { hour } from "../support/scheduled-messages.ts";

interface Race extends CaseOptions {
  title?: string;
  prepare(tester: Tester): Promise<Attempt>;
}

const raceCheck = (ids: readonly string[], title: string, races: readonly Race[]): Check =>
  check(
    [...ids, "ERR-13"],
    title,
    races.map(({ title: own = "", prepare, ...options }) =>
      testCase(own, { core: false, ...options }, race(ids, prepare)),
    ),
  );

const aboutMessages = { operation: "sendEmail", needs: emailNeeds } as const;

/** Equal requests with one idempotency key. */
const sameKey = (
  operation: "sendEmail" | "sendBatch" | "upsertContact",
  bodyOf: (tester: Tester) => object,
  options: Partial<Race> = {},
): Race => ({
  ...{ title: operation, operation, needs: needsOf(operation), ...options },
  prepare: async (tester) => {
    const request = [operation, { body: bodyOf(tester), headers: newIdempotencyKey(tester) }] as const;
    return { requests: [request, request, request], observe: performedOf };
  },
});

/** An idempotency key in several requests at the same time. */
export const concurrentKeys: Check[] = [
  raceCheck(["IDEM-8", "IDEM-1"], "of equal requests at the same time with one key, only one is performed", [
    sameKey("sendEmail", message, { core: true }),
    sameKey("sendEmail", (tester) => message(tester, { scheduled_at: secondsAhead(tester, 2 * hour) }), {
      title: "sendEmail, scheduled",
    }),
    sameKey("sendBatch", (tester) => batchOf(message(tester), message(tester))),
    sameKey("upsertContact", (tester) => newContactBody(tester, { tags: ["contract-bread"] })),
  ]),
  check("IDEM-8", "the recipients of equal requests at the same time with one key count once", [
    chargeCase("", "togetherWithKey", { operation: "sendEmail", core: false }),
  ]),
  raceCheck(
    ["IDEM-2"],
    "of different requests at the same time with one key, only one is performed",
    (["sendEmail", "sendBatch"] as const).map((other) => ({
      ...{ title: `sendEmail and ${other}`, ...aboutMessages },
      prepare: async (tester) => {
        const headers = newIdempotencyKey(tester);
        const [first, second] = [message(tester), message(tester)];
        const requests: Request[] = [
          ["sendEmail", { headers, body: first }],
          [other, { headers, body: other === "sendBatch" ? batchOf(second) : second }],
        ];
        return {
          requests,
          observe: (responses) => ({ "more than one performed": responses.filter(isSuccess).length > 1 }),
          // Whether a key means anything for another operation is unspecified.
          also: { "more than one performed": false },
        };
      },
    })),
  ),
];

/** What a lookup shows: one among the requests or, without one, one after them. */
const observeBy =
  (tester: Tester, lookup: Request, requests: readonly Request[], valuesIn: (record: Exchange) => object) =>
  async (responses: readonly Exchange[]) => {
    const found = responses[requests.indexOf(lookup)] ?? (await tester.request(...lookup));
    return { "status code of the lookup": found.status, ...(isSuccess(found) && valuesIn(found)) };
  };

const contactValues = (record: Exchange): object => ({
  ...Object.fromEntries(
    entriesIn(record, "lists").flatMap(({ list_id, tags, ...one }) => [
      ...["status", "first_name", "last_name", "fields"].map((name) => [
        `${name} on list ${list_id}`,
        one[name],
      ]),
      [`tags on list ${list_id}`, unordered(tags)],
    ]),
  ),
  marketing_blocked: bodyOf(record).marketing_blocked,
});

type List = "plain" | "second";

/** Requests about a contact. The names, custom fields and tags of the two writes have nothing in common. */
function contactRequests(tester: Tester, email: string) {
  const { text, url } = tester.settings.fixtures.fields ?? {};
  const details = [
    { first_name: "Augusta", tags: ["contract-bread"], ...(text && { fields: { [text]: "Leeds" } }) },
    { tags: ["contract-cake"], ...(url && { fields: { [url]: "https://example.com/zoe" } }) },
  ];
  const idOf = (list?: List) => (list === undefined ? {} : { list_id: listId(tester, list) });
  const path = { email };
  const lookup: Request = ["getContact", { path }];
  const write = (list: List, index: 0 | 1): Request => [
    "upsertContact",
    { body: { email, ...idOf(list), ...details[index] } },
  ];
  const leave = (list?: List): Request => ["unsubscribeContact", { path, body: idOf(list) }];
  return { lookup, write, leave };
}

/** Requests about a new contact, which is on these lists. */
const contactRace = (
  title: string,
  on: readonly List[],
  requestsOf: (contact: ReturnType<typeof contactRequests>) => readonly Request[],
  options: CaseOptions = {},
): Race => ({
  ...{ title, operation: "upsertContact", needs: needsList, ...options },
  prepare: async (tester) => {
    const email = newContact(tester);
    const first = { first_name: "Ada", tags: ["contract-first"] };
    for (const list of on) await upsert(tester, email, listId(tester, list), first);
    const contact = contactRequests(tester, email);
    const requests = requestsOf(contact);
    return { requests, observe: observeBy(tester, contact.lookup, requests, contactValues) };
  },
});

const twoLists = { needs: needsTwoLists };

/** Requests about one contact at the same time. */
export const concurrentContacts: Check[] = [
  raceCheck(
    ["CONT-2"],
    "two first writes of a contact at the same time lead to one membership with the details of both",
    [contactRace("", [], ({ write }) => [write("plain", 0), write("plain", 1)])],
  ),
  raceCheck(["CONT-25"], "a contact that is added to two lists at the same time is on both", [
    contactRace("", [], ({ write }) => [write("plain", 0), write("second", 1)], twoLists),
  ]),
  raceCheck(["MEMB-16", "CONT-16"], "no update of a contact is lost beside another one", [
    contactRace("one list", ["plain"], ({ write }) => [write("plain", 0), write("plain", 1)], { core: true }),
    contactRace(
      "two lists",
      ["plain", "second"],
      ({ write }) => [write("plain", 0), write("second", 1)],
      twoLists,
    ),
  ]),
  raceCheck(["UNSUB-10", "MEMB-16"], "neither an unsubscribe nor a write beside it is lost", [
    contactRace("everything, an update", ["plain"], ({ leave, write }) => [leave(), write("plain", 0)]),
    contactRace("one list, an update", ["plain"], ({ leave, write }) => [leave("plain"), write("plain", 0)]),
    contactRace(
      "everything, another list",
      ["plain"],
      ({ leave, write }) => [leave(), write("second", 0)],
      twoLists,
    ),
  ]),
  raceCheck(["UNSUB-4"], "unsubscribes from two lists at the same time end both memberships", [
    contactRace("", ["plain", "second"], ({ leave }) => [leave("plain"), leave("second")], twoLists),
  ]),
  raceCheck(["CONT-23", "MEMB-8"], "a lookup beside a change shows the contact before or after it", [
    contactRace("an update", ["plain"], ({ lookup, write }) => [lookup, write("plain", 0)]),
    contactRace("an unsubscribe", ["plain"], ({ lookup, leave }) => [lookup, leave()]),
  ]),
];

function messageValues(record: Exchange): object {
  const { scheduled_at } = bodyOf(record);
  const time = Date.parse(String(scheduled_at));
  return {
    status: statusOf(record),
    scheduled_at: Number.isNaN(time) ? scheduled_at : new Date(time).toISOString(),
    "number of events of type sent": eventsOfType(record, "sent").length,
  };
}

/** Requests about a scheduled message; its two new times are the same in all attempts, so that they can be compared. */
function messageRequests(id: string, times: readonly (string | undefined)[]) {
  const path = { id };
  const lookup: Request = ["getEmail", { path }];
  const move = (index: 0 | 1): Request => ["rescheduleEmail", { path, body: { scheduled_at: times[index] } }];
  const cancel: Request = ["cancelEmail", { path }];
  return { lookup, move, cancel };
}

/** Requests about a new scheduled message. */
const messageRace = (
  title: string,
  requestsOf: (message: ReturnType<typeof messageRequests>) => readonly Request[],
): Race => ({
  ...{ title, ...aboutMessages },
  prepare: async (tester) => {
    const [first, ...others] = await tester.once("times of concurrent requests", async (own) =>
      [4, 6, 8].map((hours) => secondsAhead(own, hours * hour)),
    );
    const all = messageRequests(await send(tester, { scheduled_at: first }), others);
    const requests = requestsOf(all);
    return { requests, observe: observeBy(tester, all.lookup, requests, messageValues) };
  },
});

/** Sends or batches at the same time: each message has a record of its own. */
const sendsRace = (operation: "sendEmail" | "sendBatch"): Race => ({
  ...aboutMessages,
  prepare: async (tester) => {
    const isBatch = operation === "sendBatch";
    const messages = [1, 2].map(() => message(tester));
    return {
      requests: messages.map((one) => [operation, { body: isBatch ? batchOf(one, one) : one }]),
      observe: async (responses) => {
        const sent = responses.flatMap((one) => (isBatch ? batchEntries(one) : [bodyOf(one)]));
        const paths = sent.map(({ id }) => ({ id: String(id) }));
        const found = await Promise.all(paths.map((path) => tester.request("getEmail", { path })));
        const subjects = found.map((one) => (isSuccess(one) ? bodyOf(one).subject : undefined));
        const indexes = subjects.map((subject) => messages.findIndex((one) => one.subject === subject));
        return { "requests that the records are of": indexes };
      },
    };
  },
});

const statusesOf = (responses: readonly Exchange[]) => ({
  "status codes": responses.map(({ status }) => status),
});

/** Requests about messages at the same time. */
export const concurrentMessages: Check[] = [
  raceCheck(["SCHED-13", "SCHED-14"], "a message that is canceled beside another change stays canceled", [
    messageRace("a reschedule", ({ move, cancel }) => [move(0), cancel]),
    messageRace("another cancel", ({ cancel }) => [cancel, cancel]),
  ]),
  raceCheck(["SCHED-9"], "a message that is rescheduled twice at the same time has one of the times", [
    messageRace("", ({ move }) => [move(0), move(1)]),
  ]),
  raceCheck(["LOOK-1", "LOOK-9"], "a lookup beside a change shows the message before or after it", [
    messageRace("a reschedule", ({ lookup, move }) => [lookup, move(0)]),
    messageRace("a cancel", ({ lookup, cancel }) => [lookup, cancel]),
  ]),
  raceCheck(["AUTH-2"], "a message is found by its own account alone if both look it up at the same time", [
    {
      ...{ operation: "getEmail", needs: [...emailNeeds, "keys.otherAccount"] },
      prepare: async (tester) => {
        const path = { id: await send(tester) };
        const keys = ["full", "otherAccount"] as const;
        return { requests: keys.map((key) => ["getEmail", { path, key }]), observe: statusesOf };
      },
    },
  ]),
  raceCheck(["SEND-31", "LOOK-1"], "sends at the same time have an id and a record each", [
    sendsRace("sendEmail"),
  ]),
  raceCheck(["BATCH-13"], "batches at the same time have a record for each message", [
    sendsRace("sendBatch"),
  ]),
  check("LIMIT-5", "the recipients of sends at the same time all count toward the monthly quota", [
    chargeCase("", "together", { operation: "sendEmail", core: false }),
  ]),
  raceCheck(["LIMIT-7"], "sends at the same time of an account at its sending ceiling are all rejected", [
    {
      ...{ operation: "sendEmail", needs: ["keys.atCeiling", "simulatorDomain"] },
      prepare: async (tester) => {
        const key = "atCeiling";
        const request = [
          "sendEmail",
          { key, body: message(tester, { from: senderOf(tester, key) }), paced: false },
        ] as const;
        return { requests: [request, request, request], observe: statusesOf };
      },
    },
  ]),
];
