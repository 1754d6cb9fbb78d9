import fc from "fast-check";
import type { Email } from "postal-mime";
import { limits } from "../../generated/limits.ts";
import { isObject, mapValues } from "../../lib/objects.ts";
import { configured, NotVerified } from "../engine/assert.ts";
import type { Check } from "../engine/check.ts";
import type { Tester } from "../engine/tester.ts";
import { type Exchange, isSuccess } from "../exchange.ts";
import * as hostile from "../generated-cases/hostile-values.ts";
import { assertSuccess, bodyOf, entriesIn, idOf } from "../support/assertions.ts";
import {
  listId,
  lookUpContact,
  membership,
  needsList,
  newContact,
  newContactBody,
  upsert,
} from "../support/contacts.ts";
import {
  entryIn,
  isContained,
  isEqual,
  isSameAddress,
  isSameLine,
  isSameText,
  type Json,
  kept,
  type Property,
  type Shown,
  type Value,
  type Way,
} from "../support/kept-values.ts";
import { type fieldTypes, readOnce } from "../support/lists.ts";
import { mailNeeds, sentAndReceived } from "../support/mail.ts";
import {
  batchEntries,
  emailNeeds,
  lookUpMessage,
  message,
  newRecipient,
  reschedule,
  type SendKind,
  schedule,
  secondsAhead,
  sendBy,
  sendKinds,
  templateMessage,
} from "../support/messages.ts";

const objectIn = (value: unknown): Json => (isObject(value) ? value : {});

const shownIn = (exchange: Exchange): Shown => ({ source: bodyOf(exchange), exchange });

/** The first, second and so on of several rows. */
const byView = async (rows: Promise<Shown[]>[]): Promise<Shown[][]> => {
  const all = await Promise.all(rows);
  return (all[0] ?? []).map((_, view) => all.flatMap((row) => row[view] ?? []));
};

/** The responses to messages, each on its own or all in one batch, and the records. */
async function sentMessages(tester: Tester, properties: readonly Json[], kind: SendKind = "sendEmail") {
  const all = properties.map((one) => message(tester, one));
  const groups = kind === "sendBatch" ? [all] : all.map((one) => [one]);
  const responses = await Promise.all(groups.map((group) => sendBy(tester, kind, group)));
  for (const response of responses) assertSuccess(response);
  const ids = responses.flatMap((one) =>
    kind === "sendBatch" ? batchEntries(one).map(({ id }) => String(id)) : [idOf(one)],
  );
  const records = await Promise.all(ids.map((id) => lookUpMessage(tester, id)));
  return [responses.map(shownIn), records.map(shownIn)];
}

const inMessages: Way<Json> = { needs: emailNeeds, send: sentMessages, isKept: isSameText };

const inRecords = (kind: SendKind): Way<Json> => ({
  ...inMessages,
  send: async (tester, properties) => (await sentMessages(tester, properties, kind)).slice(1),
});

const inMails: Way<Email> = {
  needs: mailNeeds,
  send: async (tester, properties) => {
    const mails = await Promise.all(properties.map((one) => sentAndReceived(tester, one)));
    return [mails.map((source) => ({ source, exchange: tester.exchanges.at(-1) }))];
  },
  isKept: isSameLine,
};

/** The responses about new contacts, and their records. */
const inMemberships: Way<Json> = {
  needs: needsList,
  send: (tester, properties) => {
    const list = listId(tester, "plain");
    const rows = properties.map(async (details) => {
      const email = newContact(tester);
      const response = await upsert(tester, email, list, details);
      const exchange = await lookUpContact(tester, email);
      return [shownIn(response), { source: membership(exchange, list), exchange }];
    });
    return byView(rows);
  },
  isKept: isSameText,
};

const tagAt = (index: number): string => `tag-${index + 1}`;

/** As the requirement says that tags are as they were sent, their code points are compared. */
const tagValues = (kind: SendKind): Property => ({
  ...inRecords(kind),
  name: "the tag value",
  ids: ["LOOK-6"],
  maxLength: limits.messageTagValueLength,
  lengthIds: ["SEND-23"],
  ...(kind === "sendEmail" && { core: limits.messageTags }),
  most: limits.messageTags,
  fill: (values) => ({ tags: Object.fromEntries(values.map((value, index) => [tagAt(index), value])) }),
  read: ({ tags }, _, index) => objectIn(tags)[tagAt(index)],
  isKept: isEqual,
});

const tagNames: Property = {
  ...inRecords("sendEmail"),
  name: "the tag name",
  ids: ["LOOK-6"],
  values: () => hostile.tagNames,
  most: limits.messageTags,
  fill: (names) => ({ tags: Object.fromEntries(names.map((name) => [name, `of ${name}`])) }),
  read: ({ tags }, name) => {
    const entry = Object.entries(objectIn(tags)).find(([key]) => key === name);
    return entry?.[1] === `of ${name}` ? name : entry;
  },
  isKept: isEqual,
};

/** All pieces, and the longest texts. */
const fewTexts = (maxLength: number) => hostile.texts(maxLength).map((all) => all.slice(0, 5));

const subjects = (kind: SendKind): Property => ({
  ...inRecords(kind),
  name: "the subject",
  ids: ["LOOK-5"],
  maxLength: limits.subjectLength,
  lengthIds: ["SEND-9"],
  // Those of a batch need fewer requests.
  ...(kind !== "sendBatch" && { values: () => fewTexts(limits.subjectLength) }),
  ...(kind === "sendEmail" && { core: 1 }),
  fill: ([subject]) => ({ subject }),
  read: ({ subject }) => subject,
});

const addressesFrom = (newAddress: (tester: Tester) => string) => (tester: Tester) =>
  hostile.localParts.map((all) => all.map((local) => newAddress(tester).replace("@", `${local}@`)));

const recipients: Property = {
  ...inMessages,
  needs: [...emailNeeds, "recipientDomain"],
  name: "the recipient",
  ids: ["SEND-33", "LOOK-4"],
  values: addressesFrom(newRecipient),
  most: limits.recipientsPerField,
  fill: (to) => ({ to }),
  read: ({ to }, address) => entryIn(to, address, isSameAddress),
  isKept: isSameAddress,
};

/** Enough that a header is folded. */
const headerLength = 200;
const mailedSubject: Property<Email> = {
  ...inMails,
  name: "a mail with the subject",
  ids: ["SEND-8"],
  values: () => fewTexts(limits.subjectLength),
  fill: ([subject]) => ({ subject }),
  read: ({ subject }) => subject,
};

const links = "<mailto:leave@example.com?subject=a%2Cb>, <https://example.com/leave?a=1&b=2;c>";
const headerAt = (value: Value, index: number): string =>
  value === links ? "List-Unsubscribe" : `X-Contract-${index + 1}`;

const headers: Property<Email> = {
  ...inMails,
  name: "a mail with the header value",
  ids: ["SEND-24"],
  values: () => hostile.texts(headerLength).map((all) => [links, ...all.slice(0, limits.extraHeaders - 1)]),
  core: 2,
  most: limits.extraHeaders,
  fill: (values) => ({
    headers: Object.fromEntries(values.map((value, index) => [headerAt(value, index), value])),
  }),
  // A server may add headers of its own.
  read: (received, value, index) => {
    const own = received.headers.filter(({ key }) => key === headerAt(value, index).toLowerCase());
    return entryIn(
      own.map((one) => one.value),
      value,
      isSameLine,
    );
  },
};

/** Lines that have a meaning in SMTP and in files of mail, and a line that is too long for SMTP. */
const text: Property<Email> = {
  ...inMails,
  name: "a mail whose plain-text part contains",
  ids: ["SEND-12"],
  values: () =>
    hostile
      .texts(headerLength)
      .map(([first]) => [`Bread\n. ${first}\n..\nFrom the oven\n-- \nBye`, "Brötchen, 2 €; ".repeat(80)]),
  fill: ([value]) => ({ text: value }),
  read: (received) => received.text,
  isKept: isContained,
};

/** Longer than a line of SMTP, and than a mebibyte. */
const html: Property<Email> = {
  ...inMails,
  name: "a mail whose HTML part contains",
  ids: ["SEND-11"],
  values: () =>
    fc.constant([
      "<p>Zoë, Zoe\u0308</p>",
      ...[100, 75_000].map((times) => "<b>Bread</b> and cake. ".repeat(times)),
    ]),
  fill: ([value]) => ({ html: value, text: undefined }),
  read: (received) => received.html,
  isKept: isContained,
};

/** Both names have each value. */
const names: Property = {
  ...inMemberships,
  name: "the name",
  ids: ["MEMB-5", "MEMB-5", "MEMB-6", "MEMB-6"],
  maxLength: limits.contactNameLength,
  lengthIds: ["CONT-8", "CONT-9"],
  core: 1,
  fill: ([value]) => ({ first_name: value, last_name: value }),
  send: async (tester, properties) => {
    const views = await inMemberships.send(tester, properties);
    return [...views, ...views];
  },
  read: ({ first_name, last_name }, _, __, view) => (view < 2 ? first_name : last_name),
};

const contactTags: Property = {
  ...inMemberships,
  name: "the contact tag",
  ids: ["CONT-16"],
  maxLength: limits.contactTagLength,
  lengthIds: ["CONT-15"],
  values: () =>
    hostile.texts(limits.contactTagLength).map((all) => {
      // Whether tags that differ in case or form alone are one is unspecified.
      const formOf = (tag: string): string => tag.normalize("NFKC").toLowerCase().trim();
      const tags = ["bread, cake", "\u{1f382}", "\u{1f370}", ...all];
      return [...new Map(tags.map((tag) => [formOf(tag), tag])).values()];
    }),
  core: limits.contactTags,
  most: limits.contactTags,
  fill: (tags) => ({ tags }),
  read: ({ tags }, tag) => entryIn(tags, tag, isSameText),
};

/** The custom fields of a type. */
async function keysOf(tester: Tester, type: (typeof fieldTypes)[number]): Promise<string[]> {
  const fields = entriesIn(await readOnce(tester, "fields"), "fields");
  const keys = fields.filter((field) => field.type === type).map(({ key }) => String(key));
  if (keys.length === 0) throw new NotVerified(`The account has no custom field of type ${type}.`);
  return keys.slice(0, limits.contactFields);
}

/** Whether numbers are numbers in JSON or texts is unspecified. */
const takesNumbers = (tester: Tester, key: string): Promise<boolean> =>
  tester.once("whether custom fields take numbers", async (own) =>
    isSuccess(await own.request("upsertContact", { body: newContactBody(own, { fields: { [key]: 7 } }) })),
  );

const customField = (
  type: (typeof fieldTypes)[number],
  id: string,
  values: NonNullable<Property["values"]>,
  isKept: Property["isKept"],
): Property => ({
  ...inMemberships,
  needs: [...needsList, `fields.${type}`],
  name: `the ${type} in a custom field`,
  ids: [id],
  values,
  ...(type === "number" && { core: 1 }),
  most: async (tester) => (await keysOf(tester, type)).length,
  fill: async (some, tester) => {
    const keys = await keysOf(tester, type);
    const isText = type === "number" && !(await takesNumbers(tester, String(keys[0])));
    const sent = some.map((value, index) => [keys[index], isText ? String(value) : value] as const);
    return { fields: Object.fromEntries(sent) };
  },
  read: ({ fields }, value) => entryIn(Object.values(objectIn(fields)), value, isKept),
  isKept,
});

/** By its lookup, and to unsubscribe it. */
const contactAddresses: Property = {
  ...inMemberships,
  name: "a contact with the email address",
  ids: ["GEN-13"],
  values: addressesFrom(newContact),
  core: 2,
  fill: ([email]) => ({ email }),
  send: (tester, properties) => {
    const show = (exchange: Exchange): Shown =>
      isSuccess(exchange) ? shownIn(exchange) : { source: { email: `status ${exchange.status}` }, exchange };
    const rows = properties.map(async ({ email }) => {
      const path = { email: String(email) };
      await upsert(tester, path.email, listId(tester, "plain"));
      const lookup = await tester.request("getContact", { path });
      return [lookup, await tester.request("unsubscribeContact", { path, body: {} })].map(show);
    });
    return byView(rows);
  },
  read: ({ email }) => email,
};

const hour = 3600;

/** In the response, in the record, and in the record of a message that is rescheduled. */
const sendTimes: Property = {
  ...inMessages,
  name: "the time",
  ids: ["SCHED-4", "LOOK-9", "SCHED-9"],
  values: (tester) => hostile.times(Date.parse(secondsAhead(tester, 8 * hour))),
  core: 1,
  fill: ([scheduled_at]) => ({ scheduled_at }),
  send: async (tester, properties) => {
    const id = await schedule(tester);
    const moved: Shown[] = [];
    for (const { scheduled_at } of properties) {
      await reschedule(tester, id, String(scheduled_at));
      moved.push(shownIn(await lookUpMessage(tester, id)));
    }
    return [...(await sentMessages(tester, properties)), moved];
  },
  read: ({ scheduled_at }) => scheduled_at,
  // What remains of a fraction of a second is unspecified.
  isKept: (sent, found) => Math.abs(Date.parse(String(found)) - Date.parse(String(sent))) < 1000,
};

/** The record of a message from the template with one value for its texts. */
async function fromTemplate(tester: Tester, value: unknown): Promise<Shown> {
  const { id, variables = {} } = configured(tester.settings.fixtures.template, "template");
  const given = mapValues(variables, (one) => (typeof one === "string" ? value : one));
  const sent = await sendBy(tester, "sendEmail", [templateMessage(tester, { id, variables: given })]);
  if (!isSuccess(sent))
    throw new NotVerified("The server rejects other texts than those in template.variables.");
  return shownIn(await lookUpMessage(tester, idOf(sent)));
}

const usual = "Contract-value";

/** The subject is that of a usual value, but for the value. */
const templateVariables: Property = {
  ...inMessages,
  needs: [...emailNeeds, "template"],
  name: "a subject of the template with",
  ids: ["SEND-16"],
  values: () =>
    hostile.texts(headerLength).map((all) => ["0", "{{order}} {{name}}", "null", ...all.slice(0, 3)]),
  fill: ([value]) => ({ value }),
  send: async (tester, properties) => {
    const { source } = await tester.once("a template with a usual value", (own) => fromTemplate(own, usual));
    const subject = String(source.subject);
    // It may show other variables only, or in capitals.
    if (!subject.includes(usual)) return [];
    const shown = properties.map(async ({ value }) => {
      const { source: record, exchange } = await fromTemplate(tester, value);
      const isShown = isSameText(
        subject.replaceAll(usual, () => String(value)),
        record.subject,
      );
      return { source: { found: isShown ? value : record.subject }, exchange };
    });
    return [await Promise.all(shown)];
  },
  read: ({ found }) => found,
  isKept: isEqual,
};

const ofKinds = (property: (kind: SendKind) => Property) =>
  Object.fromEntries(sendKinds.map((kind) => [kind, property(kind)]));

/** A server may take and return a number as text. */
const isSameNumber = (sent: Value, found: unknown): boolean =>
  typeof found !== "object" && Number(found) === sent;

/** Values that software on the way may change come back as they were sent. */
export const fidelity: Check[] = [
  kept("a record has any tags of the message unchanged", ofKinds(tagValues)),
  kept("a record has tags of any names", { sendEmail: tagNames }),
  kept("a record has any subject of the message", ofKinds(subjects)),
  kept("the response and the record have any recipients", { sendEmail: recipients }),
  kept("any subject arrives with the message", { sendEmail: mailedSubject }),
  kept("any extra headers arrive with the message", { sendEmail: headers }),
  kept("any text arrives as the plain-text body", { sendEmail: text }),
  kept("any html arrives as the HTML body", { sendEmail: html }),
  kept("a template shows any values of its variables", { sendEmail: templateVariables }),
  kept("a scheduled message has any time that was sent", { "fractions and offsets": sendTimes }),
  kept("a membership has any names", { "first_name and last_name": names }),
  kept("a membership has any tags", { tags: contactTags }),
  kept("a membership has any values of custom fields", {
    text: customField("text", "MEMB-7", () => hostile.texts(headerLength), isSameText),
    number: customField("number", "MEMB-7", () => hostile.numbers, isSameNumber),
    url: customField("url", "MEMB-7", () => hostile.urls, isSameText),
  }),
  kept("a membership has any date", { date: customField("date", "LIST-9", () => hostile.dates, isEqual) }),
  kept("a contact is found by any URL-encoded email address", { "lookup, unsubscribe": contactAddresses }),
];
