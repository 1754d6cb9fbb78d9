import type { Check } from "../engine/check.ts";
import { isInRun } from "../engine/settings.ts";
import type { Tester } from "../engine/tester.ts";
import { type Exchange, isSuccess } from "../exchange.ts";
import { bodyOf, entriesIn } from "../support/assertions.ts";
import { listId, needsList, needsTwoLists, newContact, newContactBody, upsert } from "../support/contacts.ts";
import {
  batchEntries,
  batchOf,
  emailNeeds,
  eventsOfType,
  hour,
  message,
  secondsAhead,
  send,
  senderOf,
  statusOf,
  unordered,
} from "../support/messages.ts";
import { performedOf, type Race, type Request, raceCheck, type Values } from "../support/races.ts";
import { needsOf, newIdempotencyKey } from "../support/requests.ts";

const performed = "requests with one key that were performed";
const atMostOne = "at most one";

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

export const concurrentKeys: Check[] = [
  raceCheck(["IDEM-8", "IDEM-1"], "of equal requests at the same time with one key, only one is performed", [
    sameKey("sendEmail", message, { core: true }),
    sameKey("sendEmail", (tester) => message(tester, { scheduled_at: secondsAhead(tester, 2 * hour) }), {
      title: "sendEmail, scheduled",
    }),
    sameKey("sendBatch", (tester) => batchOf(message(tester), message(tester))),
    sameKey("upsertContact", (tester) => newContactBody(tester, { tags: ["contract-bread"] })),
  ]),
  raceCheck(
    ["IDEM-2"],
    "of different requests at the same time with one key, only one is performed",
    (
      [
        ["sendEmail", "sendEmail"],
        ["sendEmail", "sendBatch"],
        ["sendBatch", "sendBatch"],
        ["upsertContact", "upsertContact"],
      ] as const
    ).map((pair) => ({
      ...{ title: pair.join(" and "), operation: pair[0], needs: needsOf(pair[0]) },
      prepare: async (tester) => {
        const [headers, email] = [newIdempotencyKey(tester), newContact(tester)];
        const bodies = {
          sendEmail: () => message(tester),
          sendBatch: () => batchOf(message(tester)),
          upsertContact: () => newContactBody(tester, { email, tags: [tester.run.unique()] }),
        };
        return {
          requests: pair.map((operation) => [operation, { headers, body: bodies[operation]() }]),
          observe: async (responses) => {
            const record =
              pair[0] === "upsertContact" && (await tester.request("getContact", { path: { email } }));
            const tags = record ? entriesIn(record, "lists").flatMap((one) => one.tags) : [];
            const counts = [responses.filter(isSuccess).length, tags.length];
            return { [performed]: Math.max(...counts) > 1 ? "two" : atMostOne };
          },
        };
      },
      // Whether a key means anything for another operation is unspecified.
      also: { [performed]: atMostOne },
    })),
  ),
];

/** Requests about one contact or scheduled message by name, one of which looks it up. */
interface Subject {
  requests: Record<string, Request>;
  /** Whose responses show the result; default: the lookup. */
  last?: readonly Request[];
  /** What a lookup shows that can be compared with another contact or message. */
  valuesIn(record: Exchange): Values;
}

const lookup = "a lookup";

const shownBy = (found: Exchange, valuesIn: Subject["valuesIn"]): Values => ({
  [`status code of ${found.request.operation}`]: found.status,
  ...(isSuccess(found) && valuesIn(found)),
});

/** Requests at the same time, and a lookup after them: what another one among them showed may not remain. */
const raceAbout = (
  names: readonly string[],
  prepare: (tester: Tester) => Promise<Subject>,
  options: Partial<Race>,
): Race => ({
  ...{ title: names.join(" and "), ...options },
  prepare: async (tester) => {
    const { requests, valuesIn, last = [requests[lookup] as Request] } = await prepare(tester);
    return {
      requests: names.map((name) => requests[name] as Request),
      observe: async (responses) => {
        const among = responses[names.indexOf(lookup)];
        const later: Values = {};
        for (const one of last) Object.assign(later, shownBy(await tester.request(...one), valuesIn));
        return among ? { ...shownBy(among, valuesIn), "a later lookup": later } : later;
      },
    };
  },
});

const membershipsIn = (record: Exchange) =>
  record.request.operation === "upsertContact" ? [bodyOf(record)] : entriesIn(record, "lists");

const contactValues = (record: Exchange): Values => ({
  ...Object.fromEntries(
    membershipsIn(record).flatMap(({ list_id, tags, ...one }) => [
      ...["status", "first_name", "last_name", "fields"].map((name) => [
        `${name} on list ${list_id}`,
        one[name],
      ]),
      [`tags on list ${list_id}`, unordered(tags)],
      [`status code on list ${list_id}`, record.status],
    ]),
  ),
  marketing_blocked: bodyOf(record).marketing_blocked,
});

type List = "plain" | "second";

/** A new contact on these lists. The names, custom fields and tags of the writes have nothing in common. */
async function contactOn(tester: Tester, on: readonly List[]): Promise<Subject> {
  const email = newContact(tester);
  const first = { first_name: "Ada", tags: ["contract-first"] };
  for (const list of on) await upsert(tester, email, listId(tester, list), first);
  const { fields: { text, url } = {}, lists } = tester.settings.fixtures;
  const all = (["plain", "second"] as const).filter((one) => lists?.[one] !== undefined);
  const bread = {
    ...{ first_name: "Augusta", tags: ["contract-bread"] },
    ...(text && { fields: { [text]: "Leeds" } }),
  };
  const cake = { tags: ["contract-cake"], ...(url && { fields: { [url]: "https://example.com/zoe" } }) };
  const path = { email };
  const write = (list: List, details: object): Request => [
    "upsertContact",
    { body: { email, list_id: lists?.[list], ...details } },
  ];
  const leave = (body: object): Request => ["unsubscribeContact", { path, body }];
  return {
    requests: {
      [lookup]: ["getContact", { path }],
      "a write": write("plain", bread),
      "another write": write("plain", cake),
      "a write to another list": write("second", cake),
      "an unsubscribe": leave({}),
      "an unsubscribe from one list": leave({ list_id: lists?.plain }),
      "an unsubscribe from another list": leave({ list_id: lists?.second }),
    },
    // Without lookups, updates that change nothing.
    ...(!isInRun(tester.settings, "getContact") && { last: all.map((one) => write(one, {})) }),
    valuesIn: contactValues,
  };
}

const contactRace = (on: readonly List[], ...names: string[]): Race => {
  const needs = [...on, ...names].some((one) => /another list|second/.test(one)) ? needsTwoLists : needsList;
  return raceAbout(names, (tester) => contactOn(tester, on), { operation: "upsertContact", needs });
};

export const concurrentContacts: Check[] = [
  raceCheck(
    ["CONT-2"],
    "two first writes of a contact at the same time lead to one membership with the details of both",
    [contactRace([], "a write", "another write")],
  ),
  raceCheck(["CONT-25"], "a contact that is added to two lists at the same time is on both", [
    contactRace([], "a write", "a write to another list"),
  ]),
  raceCheck(["MEMB-16", "CONT-16"], "no update of a contact is lost beside another one", [
    { ...contactRace(["plain"], "a write", "another write"), core: true },
    contactRace(["plain", "second"], "a write", "a write to another list"),
  ]),
  raceCheck(["UNSUB-10", "MEMB-16"], "neither an unsubscribe nor a write at the same time is lost", [
    contactRace(["plain"], "an unsubscribe", "a write"),
    contactRace(["plain"], "an unsubscribe from one list", "a write"),
  ]),
  raceCheck(
    ["UNSUB-10", "CONT-25"],
    "a contact that unsubscribes from all lists while it is added to another is on both",
    [contactRace(["plain"], "an unsubscribe", "a write to another list")],
  ),
  raceCheck(["UNSUB-4"], "unsubscribes from two lists at the same time end both memberships", [
    contactRace(["plain", "second"], "an unsubscribe from one list", "an unsubscribe from another list"),
  ]),
  raceCheck(["CONT-23", "MEMB-8"], "a lookup beside a change shows the contact before or after it", [
    contactRace(["plain"], lookup, "a write"),
    contactRace(["plain"], lookup, "an unsubscribe"),
  ]),
];

/** A new scheduled message. Its times are the same in all attempts, so that they can be compared. */
async function scheduledMessage(tester: Tester): Promise<Subject> {
  const [scheduled_at, ...times] = await tester.once("times of concurrent requests", async (own) =>
    [4, 6, 8].map((hours) => secondsAhead(own, hours * hour)),
  );
  const path = { id: await send(tester, { scheduled_at }) };
  const move = (index: 0 | 1): Request => ["rescheduleEmail", { path, body: { scheduled_at: times[index] } }];
  return {
    requests: {
      [lookup]: ["getEmail", { path }],
      "a reschedule": move(0),
      "another reschedule": move(1),
      "a cancel": ["cancelEmail", { path }],
    },
    valuesIn: (record) => ({
      status: statusOf(record),
      scheduled_at: bodyOf(record).scheduled_at,
      "number of events of type sent": eventsOfType(record, "sent").length,
    }),
  };
}

const messageRace = (...names: string[]): Race => raceAbout(names, scheduledMessage, aboutMessages);

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

export const concurrentMessages: Check[] = [
  raceCheck(["SCHED-13", "SCHED-14"], "a message that is canceled beside another change stays canceled", [
    messageRace("a reschedule", "a cancel"),
    messageRace("a cancel", "a cancel"),
  ]),
  raceCheck(["SCHED-9"], "a message that is rescheduled twice at the same time has one of the times", [
    messageRace("a reschedule", "another reschedule"),
  ]),
  raceCheck(["LOOK-1", "LOOK-9"], "a lookup beside a change shows the message before or after it", [
    messageRace(lookup, "a reschedule"),
    messageRace(lookup, "a cancel"),
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
  raceCheck(["SEND-31", "BATCH-13", "LOOK-1"], "messages sent at the same time have an id and record each", [
    { title: "sends", ...sendsRace("sendEmail") },
    { title: "batches", ...sendsRace("sendBatch") },
  ]),
  raceCheck(["LIMIT-7"], "sends at the same time of an account at its sending ceiling are all rejected", [
    {
      ...{ operation: "sendEmail", needs: ["keys.atCeiling", "simulatorDomain"] },
      prepare: async (tester) => {
        const key = "atCeiling";
        const body = message(tester, { from: senderOf(tester, key) });
        const request = ["sendEmail", { key, body, waits: false }] as const;
        return { requests: [request, request, request], observe: statusesOf };
      },
    },
  ]),
];
