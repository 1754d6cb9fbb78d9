import { limits } from "../../generated/limits.ts";
import { isObject, mapValues } from "../../lib/objects.ts";
import { configured, NotVerified } from "../engine/assert.ts";
import type { Check } from "../engine/check.ts";
import type { Tester } from "../engine/tester.ts";
import { type Exchange, isSuccess } from "../exchange.ts";
import * as hostile from "../generated-cases/hostile-values.ts";
import { assertSuccess, bodyOf, entriesIn, idOf, type Json } from "../support/assertions.ts";
import {
  listId,
  lookUpContact,
  membership,
  needsList,
  newContact,
  takesNumbers,
  upsert,
} from "../support/contacts.ts";
import {
  entryIn,
  isEqual,
  isSameAddress,
  isSameText,
  kept,
  type Property,
  type Value,
  type View,
  type Way,
} from "../support/kept-values.ts";
import { type fieldTypes, readOnce } from "../support/lists.ts";
import {
  emailNeeds,
  hour,
  lookUpMessage,
  message,
  newRecipient,
  reschedule,
  schedule,
  secondsAhead,
  sendBy,
  singleSends,
} from "../support/messages.ts";

const objectIn = (value: unknown): Json => (isObject(value) ? value : {});

const viewOf = (exchange: Exchange): View => ({ source: bodyOf(exchange), exchange });

/** The largest batch has such values, too, and complete messages are in checks of sizes. */
type SingleSend = (typeof singleSends)[number];

async function accepted(tester: Tester, kind: SingleSend, properties: Json): Promise<Exchange> {
  const response = await sendBy(tester, kind, [message(tester, properties)]);
  if (!isSuccess(response) && "template_id" in properties)
    throw new NotVerified("The server rejects other texts than those in template.variables.");
  assertSuccess(response);
  return response;
}

/** The response to a message, and its record. */
const inMessages = (kind: SingleSend = "sendEmail"): Way => ({
  needs: emailNeeds,
  isKept: isSameText,
  send: async (tester, properties) => {
    const response = await accepted(tester, kind, properties);
    return [response, await lookUpMessage(tester, idOf(response))].map(viewOf);
  },
});

async function addWith(tester: Tester, details: Json) {
  const email = newContact(tester);
  return { email, response: await upsert(tester, email, listId(tester, "plain"), details) };
}

/** The contact that was added last, with other details. */
const addedLast = new WeakMap<Tester, ReturnType<typeof addWith>>();

/** The responses to adding a contact and to updating another one, and the record of that. */
const inMemberships: Way = {
  needs: needsList,
  isKept: isSameText,
  send: async (tester, details) => {
    const list = listId(tester, "plain");
    const other = addedLast.get(tester) ?? addWith(tester, { first_name: "Ada", last_name: "Byron" });
    const adding = addWith(tester, details);
    addedLast.set(tester, adding);
    const [added, { email }] = await Promise.all([adding, other]);
    const updated = await upsert(tester, email, list, details);
    const exchange = await lookUpContact(tester, email);
    return [viewOf(added.response), viewOf(updated), { source: membership(exchange, list), exchange }];
  },
};

/** The only value of a request, under this name. */
const only = (name: string): Pick<Property, "fill" | "read"> => ({
  fill: ([value]) => ({ [name]: value }),
  read: (source) => source[name],
});

const tagAt = (index: number): string => `tag-${index + 1}`;

/** As the requirement says that tags are as they were sent, their code points are compared. */
const tagValues = (kind: SingleSend): Property => ({
  ...inMessages(kind),
  name: (_, index) => `tags with ${tagAt(index)}`,
  ids: [null, "LOOK-6"],
  maxLength: limits.messageTagValueLength,
  lengthIds: ["SEND-23"],
  ...(kind === "sendEmail" && { core: limits.messageTags }),
  most: limits.messageTags,
  fill: (values) => ({ tags: Object.fromEntries(values.map((value, index) => [tagAt(index), value])) }),
  read: ({ tags }, _, index) => objectIn(tags)[tagAt(index)],
  isKept: isEqual,
});

const tagNames: Property = {
  ...inMessages(),
  name: "the tag name",
  ids: [null, "LOOK-6"],
  values: () => hostile.tagNames,
  most: limits.messageTags,
  fill: (names) => ({ tags: Object.fromEntries(names.map((name) => [name, `of ${name}`])) }),
  read: ({ tags }, name) => {
    const entry = Object.entries(objectIn(tags)).find(([key]) => key === name);
    return entry?.[1] === `of ${name}` ? name : entry;
  },
  isKept: isEqual,
};

/** All pieces, the longest texts, and some that read as something else. */
const fewTexts = (maxLength: number) =>
  hostile.texts(maxLength).map((all) => [...all.slice(0, 5), ...all.slice(-3)]);

const subjects = (kind: SingleSend): Property => ({
  ...inMessages(kind),
  ...only("subject"),
  name: "the subject",
  ids: [null, "LOOK-5"],
  values: () => fewTexts(limits.subjectLength),
  maxLength: limits.subjectLength,
  lengthIds: ["SEND-9"],
  ...(kind === "sendEmail" && { core: 1 }),
});

const addressesFrom = (newAddress: (tester: Tester) => string) => (tester: Tester) =>
  hostile.localParts.map((all) => all.map((local) => newAddress(tester).replace("@", `${local}@`)));

const recipients: Property = {
  ...inMessages(),
  needs: [...emailNeeds, "recipientDomain"],
  name: "the recipient",
  ids: ["SEND-33", "LOOK-4"],
  values: addressesFrom(newRecipient),
  most: limits.recipientsPerField,
  fill: (to) => ({ to }),
  read: ({ to }, address) => entryIn(to, address, isSameAddress),
  isKept: isSameAddress,
};

/** More than software keeps by mistake of a text without a limit: 255, 1,024 or 2,048 characters. */
const longText = 2_100;
/** The subject that shows them has a limit. */
const variableLength = 500;

const nameOfPerson = (view: number) => (view < 3 ? "first_name" : "last_name");

/** Both names have each value. */
const names: Property = {
  ...inMemberships,
  name: (_, __, view) => nameOfPerson(view),
  ids: ["MEMB-5", "MEMB-5", "MEMB-5", "MEMB-6"],
  maxLength: limits.contactNameLength,
  lengthIds: ["CONT-8", "CONT-9"],
  core: 1,
  fill: ([value]) => ({ first_name: value, last_name: value }),
  send: async (tester, details) => {
    const views = await inMemberships.send(tester, details);
    return [...views, ...views];
  },
  read: (source, _, __, view) => source[nameOfPerson(view)],
};

const contactTags: Property = {
  ...inMemberships,
  name: "the contact tag",
  ids: [["MEMB-8", "CONT-16"]],
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

async function keysOf(tester: Tester, type: (typeof fieldTypes)[number]): Promise<string[]> {
  const fields = entriesIn(await readOnce(tester, "fields"), "fields");
  const ofType = fields.filter((field) => field.type === type).map(({ key }) => [String(key), type]);
  // In the order of the properties of an object.
  const keys = Object.keys(Object.fromEntries(ofType));
  if (keys.length === 0) throw new NotVerified(`The account has no custom field of type ${type}.`);
  return keys.slice(0, limits.contactFields);
}

const fieldAt = ({ fields }: Json, index: number): string => Object.keys(objectIn(fields))[index] ?? "";

const customField = (
  type: (typeof fieldTypes)[number],
  ids: string[],
  values: NonNullable<Property["values"]>,
  isKept: Property["isKept"],
): Property => ({
  ...inMemberships,
  needs: [...needsList, `fields.${type}`],
  name: (_, index, __, sent) => `fields.${fieldAt(sent, index)}`,
  ids: [ids],
  values,
  ...((type === "text" || type === "number") && { core: 1 }),
  most: async (tester) => (await keysOf(tester, type)).length,
  fill: async (some, tester) => {
    const keys = await keysOf(tester, type);
    const isText = type === "number" && !(await takesNumbers(tester));
    const sent = some.map((value, index) => [keys[index], isText ? String(value) : value] as const);
    return { fields: Object.fromEntries(sent) };
  },
  read: ({ fields }, _, index, __, sent) => objectIn(fields)[fieldAt(sent, index)],
  isKept,
});

/** By its lookup, and to unsubscribe it. */
const contactAddresses: Property = {
  ...inMemberships,
  ...only("email"),
  name: "a contact with the email address",
  ids: ["GEN-13"],
  values: addressesFrom(newContact),
  core: 2,
  send: async (tester, { email }) => {
    const path = { email: String(email) };
    await upsert(tester, path.email, listId(tester, "plain"));
    const lookup = await tester.request("getContact", { path });
    return [lookup, await tester.request("unsubscribeContact", { path, body: {} })].map(viewOf);
  },
};

/** Of the request with this method. */
const timeOf = (method: string): Pick<Property, "name" | "values" | "isKept"> => ({
  name: (sent) => {
    const time = new Date(Date.parse(String(sent))).toISOString();
    return `the time ${time} after ${method} with scheduled_at`;
  },
  values: (tester) => hostile.times(Date.parse(secondsAhead(tester, 8 * hour))),
  // What remains of a fraction of a second is unspecified.
  isKept: (sent, found) => Math.abs(Date.parse(String(found)) - Date.parse(String(sent))) < 1000,
});

/** In the response, and in the record. */
const sendTimes: Property = {
  ...inMessages(),
  ...only("scheduled_at"),
  ...timeOf("POST"),
  ids: [["SCHED-4", "GEN-6"], "LOOK-9"],
  core: 1,
};

const newTimes: Property = {
  ...sendTimes,
  ...timeOf("PATCH"),
  ids: ["SCHED-9"],
  send: async (tester, { scheduled_at }) => {
    const id = await schedule(tester);
    await reschedule(tester, id, String(scheduled_at));
    return [viewOf(await lookUpMessage(tester, id))];
  },
};

const isText = (one: unknown): boolean => typeof one === "string";

/** A message from the template with a value in place of its texts. */
function fromTemplate([value]: readonly Value[], { settings }: Tester): Json {
  const { id, variables = {} } = configured(settings.fixtures.template, "template");
  if (!Object.values(variables).some(isText)) throw new NotVerified("template.variables has no text.");
  const filled = mapValues(variables, (one) => (isText(one) ? value : one));
  return { subject: undefined, text: undefined, template_id: id, variables: filled };
}

const usual = "Contract-value";

/** The subject is that of a usual value, but for the value. */
const templateVariables: Property = {
  ...inMessages(),
  needs: [...emailNeeds, "template"],
  name: "a subject of the template with",
  ids: ["SEND-16"],
  values: () =>
    hostile.texts(variableLength).map((all) => ["0", "{{order}} {{name}}", "null", ...all.slice(0, 3)]),
  fill: fromTemplate,
  send: async (tester, properties) => {
    const subjectOf = async (own: Tester, sent: Json) => (await inMessages().send(own, sent)).slice(1);
    const [first] = await tester.once("a template with a usual value", (own) =>
      subjectOf(own, fromTemplate([usual], own)),
    );
    const template = String(first?.source.subject);
    const views = await subjectOf(tester, properties);
    // It may show other variables only, or in capitals.
    if (!template.includes(usual)) return [];
    return views.map(({ source, exchange }) => ({ source: { ...source, template }, exchange }));
  },
  read: ({ subject, template }, value) =>
    isSameText(
      String(template).replaceAll(usual, () => String(value)),
      subject,
    )
      ? value
      : subject,
  isKept: isEqual,
};

const ofSends = (property: (kind: SingleSend) => Property) =>
  Object.fromEntries(singleSends.map((kind) => [kind, property(kind)]));

/** A server may take and return a number as text. */
const isSameNumber = (sent: Value, found: unknown) => typeof found !== "object" && Number(found) === sent;

/** Values that software on the way may change come back as they were sent. */
export const fidelity: Check[] = [
  kept("a record has any tags of the message unchanged", ofSends(tagValues)),
  kept("a record has tags of any names", { sendEmail: tagNames }),
  kept("a record has any subject of the message", ofSends(subjects)),
  kept("the response and the record have any recipients", { sendEmail: recipients }),
  kept("a template shows any values of its variables", { sendEmail: templateVariables }),
  kept("a scheduled message has any time that was sent", { "fractions and offsets": sendTimes }),
  kept("a rescheduled message has any time that was sent", { "fractions and offsets": newTimes }),
  kept("a membership has any names", { "first_name and last_name": names }),
  kept("a membership has any tags", { tags: contactTags }),
  kept("a membership has any values of custom fields", {
    text: customField("text", ["MEMB-7", "LIST-6"], () => hostile.texts(longText), isSameText),
    number: customField("number", ["MEMB-7", "LIST-6"], () => hostile.numbers, isSameNumber),
    url: customField("url", ["MEMB-7", "LIST-6"], () => hostile.urls, isSameText),
  }),
  kept("a membership has any date", { date: customField("date", ["LIST-9"], () => hostile.dates, isEqual) }),
  kept("a contact is found by any URL-encoded email address", { "lookup, unsubscribe": contactAddresses }),
];
