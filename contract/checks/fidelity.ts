import type { Email } from "postal-mime";
import { limits } from "../../generated/limits.ts";
import { isObject } from "../../lib/objects.ts";
import { AssertionFailure, configured, NotVerified } from "../engine/assert.ts";
import { type Check, check, type Need, testCase } from "../engine/check.ts";
import { defaultSequences } from "../engine/settings.ts";
import type { Tester } from "../engine/tester.ts";
import { type Exchange, isSuccess } from "../exchange.ts";
import {
  dates,
  localParts,
  numbers,
  partsOf,
  sampleOf,
  tagNames,
  texts,
  times,
  urls,
} from "../generated-cases/hostile-values.ts";
import { assertSuccess, bodyOf, entriesIn, idOf } from "../support/assertions.ts";
import {
  listId,
  lookUpContact,
  type Membership,
  membership,
  needsList,
  newContact,
  newContactBody,
  upsert,
} from "../support/contacts.ts";
import { type fieldTypes, readOnce } from "../support/lists.ts";
import { inOneLine, mailNeeds, receivedBy, sentAndReceived } from "../support/mail.ts";
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
  simulatedRecipient,
  templateMessage,
} from "../support/messages.ts";
import { contrasted } from "../text.ts";

/** What came back for a value, and the exchange that shows it. */
interface Returned {
  found: unknown;
  exchange: Exchange | undefined;
}

/** Sends values, many at a time; resolves to what came back for each, as each of several views shows it. */
type Carry<Value> = (tester: Tester, values: readonly Value[]) => Promise<Returned[][]>;

/** A property of requests that responses, records or the mail show. */
interface Property<Value> {
  /** In messages, with an article. */
  name: string;
  /** The requirement that a value is kept, by view; default: the first. */
  views: readonly string[];
  needs: readonly Need[];
  values(tester: Tester, seed: number): readonly Value[];
  /** How many values the profile `core` sends; default: none. */
  core?: number;
  carry: Carry<Value>;
  isKept(sent: Value, found: unknown): boolean;
  /** Whether a part of a text is a value too. */
  hasParts?: boolean;
}

interface Changed<Value> extends Returned {
  sent: Value;
  id: string;
}

/** The shortest value that does not come back as it was sent; undefined if all do. */
async function findChanged<Value>(
  tester: Tester,
  { carry, isKept, views }: Property<Value>,
  values: readonly Value[],
): Promise<Changed<Value> | undefined> {
  const returned = await carry(tester, values);
  const changed = returned.flatMap((all, view) =>
    all.flatMap((one, index) => {
      const sent = values[index] as Value;
      return isKept(sent, one.found) ? [] : [{ ...one, sent, id: String(views[view] ?? views[0]) }];
    }),
  );
  return changed.toSorted((one, other) => String(one.sent).length - String(other.sent).length)[0];
}

/** More do not shorten a value further. */
const maxRounds = 10;

/** Sends parts of a text that is changed, as long as one of them is changed too. */
async function shortened<Value>(
  tester: Tester,
  property: Property<Value>,
  first: Changed<Value>,
): Promise<Changed<Value>> {
  let shortest = first;
  for (let round = 0; round < maxRounds && property.hasParts === true; round += 1) {
    const parts = partsOf(String(shortest.sent)) as Value[];
    // The server may reject a part, for example a name without letters.
    const next = parts.length > 0 && (await findChanged(tester, property, parts).catch(() => undefined));
    if (!next) return shortest;
    shortest = next;
  }
  return shortest;
}

async function assertKept<Value>(tester: Tester, property: Property<Value>): Promise<void> {
  const { profile } = tester.settings;
  const { seed } = { ...defaultSequences(tester.settings), ...tester.settings.sequences };
  const all = property.values(tester, seed);
  const changed = await findChanged(tester, property, profile === "core" ? all.slice(0, property.core) : all);
  if (changed === undefined) return;
  const { sent, found, exchange, id } = await shortened(tester, property, changed);
  throw new AssertionFailure(
    exchange,
    { expected: `${property.name} ${contrasted(sent, found)}`, found: contrasted(found, sent) },
    [id],
  );
}

/** The same text, but for its normal form and the space at its ends, which are unspecified. */
const isSameText = (sent: string, found: unknown): boolean =>
  typeof found === "string" && found.normalize("NFC").trim() === sent.normalize("NFC").trim();

/** The same text, wherever a mail wraps its lines. */
const isSameLine = (sent: string, found: unknown): boolean =>
  isSameText(inOneLine(sent), inOneLine(String(found)));

const isContained = (sent: string, found: unknown): boolean =>
  inOneLine(String(found).normalize("NFC")).includes(inOneLine(sent.normalize("NFC")));

const isEqual = <Value>(sent: Value, found: unknown): boolean => found === sent;

const chunks = <Value>(values: readonly Value[], most: number): Value[][] =>
  Array.from({ length: Math.ceil(values.length / most) }, (_, index) =>
    values.slice(index * most, (index + 1) * most),
  );

const objectIn = (json: unknown, name: string): Record<string, unknown> => {
  const value = isObject(json) ? json[name] : undefined;
  return isObject(value) ? value : {};
};

/** The entry that is the value, or else those that were not sent. */
function entryIn<Value>(
  list: unknown,
  sent: readonly Value[],
  value: Value,
  isSame: (sent: Value, found: unknown) => boolean,
): unknown {
  const entries: unknown[] = Array.isArray(list) ? list : [];
  const other = entries.filter((entry) => !sent.some((one) => isSame(one, entry)));
  return entries.find((entry) => isSame(value, entry)) ?? (other.length === 1 ? other[0] : other);
}

/** The responses to messages with these changes, each on its own or all in one batch, and the records. */
async function sentMessages(tester: Tester, kind: SendKind, changes: readonly Record<string, unknown>[]) {
  const all = changes.map((one) => message(tester, one));
  const groups = kind === "sendBatch" ? [all] : all.map((one) => [one]);
  const responses = await Promise.all(groups.map((group) => sendBy(tester, kind, group)));
  for (const response of responses) assertSuccess(response);
  const ids =
    kind === "sendBatch"
      ? batchEntries(responses[0] as Exchange).map(({ id }) => String(id))
      : responses.map(idOf);
  return { responses, records: await Promise.all(ids.map((id) => lookUpMessage(tester, id))) };
}

interface Filling<Value, Shown> {
  /** How many values one object carries; default: 1. */
  most?: number;
  fill(values: readonly Value[]): Record<string, unknown>;
  read(shown: Shown, value: Value, index: number, values: readonly Value[]): unknown;
}

/** In the records of messages. */
const inRecords =
  <Value>(kind: SendKind, { most = 1, fill, read }: Filling<Value, Record<string, unknown>>): Carry<Value> =>
  async (tester, values) => {
    const groups = chunks(values, most);
    const { records } = await sentMessages(tester, kind, groups.map(fill));
    return [
      groups.flatMap((group, place) =>
        group.map((value, index) => {
          const exchange = records[place] as Exchange;
          return { exchange, found: read(bodyOf(exchange), value, index, group) };
        }),
      ),
    ];
  };

/** In the mail, of a new recipient for each message. */
const inMails =
  <Value>({ most = 1, fill, read }: Filling<Value, Email>): Carry<Value> =>
  async (tester, values) => {
    const groups = chunks(values, most);
    const mails = await Promise.all(groups.map((group) => sentAndReceived(tester, fill(group))));
    const exchange = tester.exchanges.at(-1);
    return [
      groups.flatMap((group, place) =>
        group.map((value, index) => ({
          exchange,
          found: read(mails[place] as Email, value, index, group),
        })),
      ),
    ];
  };

/**
 * In the response to updates of one contact and in its record, as each reader shows it. A record has all tags of a contact, so that it is looked
 * up at the end.
 */
async function inMemberships<Value>(
  tester: Tester,
  values: readonly Value[],
  { most = 1, fill, read }: Filling<Value, Membership>,
  isAdded = false,
): Promise<Returned[][]> {
  const list = listId(tester, "plain");
  const email = newContact(tester);
  const [inResponses, inRecord]: [Returned[], Returned[]] = [[], []];
  const add = (all: Returned[], exchange: Exchange, shown: Membership, some: readonly Value[]): unknown =>
    all.push(...some.map((value, index) => ({ exchange, found: read(shown, value, index, values) })));
  for (const group of chunks(values, most)) {
    const response = await upsert(tester, email, list, fill(group));
    add(inResponses, response, bodyOf(response), group);
    if (isAdded) continue;
    const record = await lookUpContact(tester, email);
    add(inRecord, record, membership(record, list), group);
  }
  if (isAdded) {
    const record = await lookUpContact(tester, email);
    add(inRecord, record, membership(record, list), values);
  }
  return [inResponses, inRecord];
}

const mixedTexts = (maxLength: number) => (_: Tester, seed: number) => {
  const { mixed, longest, any } = sampleOf(texts(maxLength), seed);
  return [...mixed, ...longest, ...any];
};
const everyText = (maxLength: number) => (tester: Tester, seed: number) => [
  ...mixedTexts(maxLength)(tester, seed),
  ...sampleOf(texts(maxLength), seed).wholes,
];

const tagAt = (index: number): string => `tag-${index + 1}`;

/** As the requirement says that tags are as they were sent, their code points are compared. */
const tagValues = (kind: SendKind): Property<string> => ({
  name: "the tag value",
  views: ["LOOK-6"],
  needs: emailNeeds,
  values: (kind === "sendEmail" ? everyText : mixedTexts)(limits.messageTagValueLength),
  ...(kind === "sendEmail" && { core: limits.messageTags }),
  carry: inRecords(kind, {
    most: limits.messageTags,
    fill: (values) => ({ tags: Object.fromEntries(values.map((value, index) => [tagAt(index), value])) }),
    read: (record, _, index) => objectIn(record, "tags")[tagAt(index)],
  }),
  isKept: isEqual,
  hasParts: true,
});

const tagNamesKept: Property<string> = {
  name: "the tag name",
  views: ["LOOK-6"],
  needs: emailNeeds,
  values: (_, seed) => sampleOf(tagNames, seed),
  carry: inRecords("sendEmail", {
    most: limits.messageTags,
    fill: (names) => ({ tags: Object.fromEntries(names.map((name) => [name, `of ${name}`])) }),
    read: (record, name, _, names) => {
      const tags = objectIn(record, "tags");
      if (!Object.hasOwn(tags, name)) return entryIn(Object.keys(tags), names, name, isEqual);
      return tags[name] === `of ${name}` ? name : { [name]: tags[name] };
    },
  }),
  isKept: isEqual,
};

const subjects = (kind: SendKind): Property<string> => ({
  name: "the subject",
  views: ["LOOK-5"],
  needs: emailNeeds,
  // Those of a batch need fewer requests.
  values: (tester, seed) =>
    everyText(limits.subjectLength)(tester, seed).slice(0, kind === "sendBatch" ? limits.batchMessages : 5),
  ...(kind === "sendEmail" && { core: 1 }),
  carry: inRecords(kind, { fill: ([subject]) => ({ subject }), read: ({ subject }) => subject }),
  isKept: isSameText,
  hasParts: true,
});

const isSameAddress = (sent: string, found: unknown): boolean =>
  typeof found === "string" && found.toLowerCase() === sent.toLowerCase();

/** Recipients in the response to a send and in the record. */
const recipients: Property<string> = {
  name: "the recipient",
  views: ["SEND-33", "LOOK-4"],
  needs: [...emailNeeds, "recipientDomain"],
  values: (tester, seed) =>
    sampleOf(localParts, seed).map((local) => newRecipient(tester).replace("@", `${local}@`)),
  carry: async (tester, to) => {
    const { responses, records } = await sentMessages(tester, "sendEmail", [{ to }]);
    return [...responses, ...records].map((exchange) =>
      to.map((one) => ({ exchange, found: entryIn(bodyOf(exchange).to, to, one, isSameAddress) })),
    );
  },
  isKept: isSameAddress,
};

const headerAt = (index: number): string => `X-Contract-${index + 1}`;
const headerIn = ({ headers }: Email, name: string): string | undefined =>
  headers.find(({ key }) => key === name.toLowerCase())?.value;

/** Enough that a header is folded. */
const headerLength = 200;
const links = "<mailto:leave@example.com?subject=a%2Cb>, <https://example.com/leave?a=1&b=2;c>";

/** What only the mail shows. */
const mailed = {
  subject: {
    name: "a mail with the subject",
    views: ["SEND-8"],
    needs: mailNeeds,
    values: mixedTexts(limits.subjectLength),
    carry: inMails({ fill: ([subject]) => ({ subject }), read: ({ subject }) => subject }),
    isKept: isSameLine,
    hasParts: true,
  },
  header: {
    name: "a mail with the header value",
    views: ["SEND-24"],
    needs: mailNeeds,
    values: (tester, seed) => mixedTexts(headerLength)(tester, seed).slice(0, limits.extraHeaders),
    carry: inMails({
      most: limits.extraHeaders,
      fill: (values) => ({ headers: Object.fromEntries(values.map((value, at) => [headerAt(at), value])) }),
      read: (mail, _, index) => headerIn(mail, headerAt(index)),
    }),
    isKept: isSameLine,
    hasParts: true,
  },
  links: {
    name: "a mail with List-Unsubscribe",
    views: ["SEND-24"],
    needs: mailNeeds,
    values: () => [links],
    carry: inMails({
      fill: ([value]) => ({ headers: { "List-Unsubscribe": value } }),
      read: (mail) => headerIn(mail, "List-Unsubscribe"),
    }),
    isKept: isSameLine,
  },
  text: {
    name: "a mail whose plain-text part contains",
    views: ["SEND-12"],
    needs: mailNeeds,
    // Lines that have a meaning in SMTP and in mail folders, and a line that is too long for SMTP.
    values: (tester, seed) => [
      ...mixedTexts(headerLength)(tester, seed).map(
        (text) => `Bread\n. ${text}\n..\nFrom the oven\n-- \nBye`,
      ),
      "Brötchen, 2 € each; ".repeat(60),
    ],
    carry: inMails({ fill: ([text]) => ({ text }), read: ({ text }) => text }),
    isKept: isContained,
    hasParts: true,
  },
  html: {
    name: "a mail whose HTML part contains",
    views: ["SEND-11"],
    needs: mailNeeds,
    values: () => ["Zoë \u{1f382} Zoe\u0308", "Bread and cake. ".repeat(100)].map((text) => `<p>${text}</p>`),
    carry: inMails({ fill: ([html]) => ({ html, text: undefined }), read: ({ html }) => html }),
    isKept: isContained,
  },
} satisfies Record<string, Property<string>>;

/** Both names have each value. */
const names: Property<string> = {
  name: "the name",
  views: ["MEMB-5", "MEMB-6", "MEMB-5", "MEMB-6"],
  needs: needsList,
  values: everyText(limits.contactNameLength),
  core: 1,
  carry: async (tester, values) => {
    const views = await inMemberships(tester, values, {
      fill: ([value]) => ({ first_name: value, last_name: value }),
      read: ({ first_name, last_name }) => [first_name, last_name],
    });
    return views.flatMap((all) =>
      [0, 1].map((name) => all.map((one) => ({ ...one, found: (one.found as unknown[])[name] }))),
    );
  },
  isKept: isSameText,
  hasParts: true,
};

const contactTags: Property<string> = {
  name: "the contact tag",
  views: ["CONT-16"],
  needs: needsList,
  values: (tester, seed) => {
    const all = [
      "bread, cake",
      "\u{1f382}",
      "\u{1f370}",
      ...everyText(limits.contactTagLength)(tester, seed),
    ];
    // Whether tags that only differ in case or form are one is unspecified.
    return [...new Map(all.map((text) => [text.normalize("NFKC").toLowerCase().trim(), text])).values()];
  },
  core: limits.contactTags,
  carry: (tester, values) =>
    inMemberships(
      tester,
      values,
      {
        most: limits.contactTags,
        fill: (tags) => ({ tags }),
        read: ({ tags }, value, _, all) => entryIn(tags, all, value, isSameText),
      },
      true,
    ),
  isKept: isSameText,
  hasParts: true,
};

/** Values of the account's custom fields of a type. */
const customFields = <Value>(
  type: (typeof fieldTypes)[number],
  id: string,
  rest: Pick<Property<Value>, "values" | "isKept" | "hasParts">,
): Property<Value> => ({
  name: `the custom field of type ${type}`,
  views: [id],
  needs: [...needsList, `fields.${type}`],
  core: 1,
  ...rest,
  carry: async (tester, values) => {
    const fields = entriesIn(await readOnce(tester, "fields"), "fields");
    const keys = fields.filter((field) => field.type === type).map(({ key }) => String(key));
    if (keys.length === 0) throw new NotVerified(`The account has no custom field of type ${type}.`);
    const keyAt = (index: number): string => String(keys[index % keys.length]);
    const most = Math.min(keys.length, limits.contactFields);
    if (type === "number") await assertTakesNumbers(tester, keyAt(0));
    return inMemberships(tester, values, {
      most,
      fill: (some) => ({ fields: Object.fromEntries(some.map((value, index) => [keyAt(index), value])) }),
      read: (shown, _, index) => objectIn(shown, "fields")[keyAt(index)],
    });
  },
});

/** @throws NotVerified if the value of a number field is not a number but a text */
const assertTakesNumbers = async (tester: Tester, key: string): Promise<void> => {
  const response = await tester.once("a number in a custom field", (own) =>
    own.request("upsertContact", { body: newContactBody(own, { fields: { [key]: 7 } }) }),
  );
  if (!isSuccess(response)) throw new NotVerified("The server rejects a number in a custom field.");
};

const fields = {
  text: customFields<string>("text", "MEMB-7", {
    values: everyText(limits.messageTagValueLength),
    isKept: isSameText,
    hasParts: true,
  }),
  number: customFields<number>("number", "MEMB-7", {
    values: (_, seed) => sampleOf(numbers, seed),
    isKept: (sent, found) => found === sent || (typeof found === "string" && Number(found) === sent),
  }),
  date: customFields<string>("date", "LIST-9", {
    values: (_, seed) => sampleOf(dates, seed),
    isKept: isEqual,
  }),
  url: customFields<string>("url", "MEMB-7", {
    values: (_, seed) => sampleOf(urls, seed),
    isKept: isSameText,
  }),
};

/** Email addresses in paths. */
const contactAddresses: Property<string> = {
  name: "a contact with the email address",
  views: ["GEN-13"],
  needs: needsList,
  values: (tester, seed) =>
    sampleOf(localParts, seed).map((local) => newContact(tester).replace("@", `${local}@`)),
  core: 1,
  carry: async (tester, emails) => {
    const shown = (exchange: Exchange): Returned => ({
      exchange,
      found: isSuccess(exchange) ? bodyOf(exchange).email : `status ${exchange.status}`,
    });
    const found = emails.map(async (email) => {
      await upsert(tester, email, listId(tester, "plain"));
      const path = { email };
      const lookup = await tester.request("getContact", { path });
      return [lookup, await tester.request("unsubscribeContact", { path, body: {} })].map(shown);
    });
    const all = await Promise.all(found);
    return [0, 1].map((view) => all.map((views) => views[view] as Returned));
  },
  isKept: isSameAddress,
};

const hour = 3600;

/** The same second: what remains of a fraction is unspecified. */
const isSameTime = (sent: string, found: unknown): boolean =>
  Math.abs(Date.parse(String(found)) - Date.parse(sent)) < 1000;

const sendTimes: Property<string> = {
  name: "the time",
  views: ["SCHED-4", "LOOK-9", "SCHED-9"],
  needs: emailNeeds,
  values: (tester, seed) => sampleOf(times(Date.parse(secondsAhead(tester, 8 * hour))), seed),
  core: 1,
  carry: async (tester, values) => {
    const changes = values.map((scheduled_at) => ({ scheduled_at }));
    const { responses, records } = await sentMessages(tester, "sendEmail", changes);
    const id = await schedule(tester);
    const moved: Exchange[] = [];
    for (const time of values) {
      await reschedule(tester, id, time);
      moved.push(await lookUpMessage(tester, id));
    }
    return [responses, records, moved].map((exchanges) =>
      exchanges.map((exchange) => ({ exchange, found: bodyOf(exchange).scheduled_at })),
    );
  },
  isKept: isSameTime,
};

/** A value that no template has. */
const word = "Contract-";

/** What stands on both sides of each place of a text that shows a variable. */
interface Shown {
  before: string;
  after: string;
}

/** Where the record and the mail of a template show its variables: each text of them is replaced, or only those that are names. */
const shownVariables = (tester: Tester) =>
  tester.once("where a template shows its variables", async (own) => {
    const { id, variables = {} } = configured(own.settings.fixtures.template, "template");
    const isText = ([, value]: [string, unknown]): boolean => typeof value === "string";
    const isName = ([, value]: [string, unknown]): boolean => /^\p{L}[\p{L} ]*$/u.test(String(value));
    for (const entries of [isText, isName].map((is) => Object.entries(variables).filter(is))) {
      const fill = (value: () => string) => ({
        id,
        variables: { ...variables, ...Object.fromEntries(entries.map(([name]) => [name, value()])) },
      });
      const sent = await templateTexts(
        own,
        fill(() => `${word}${own.run.unique()}`),
      ).catch(() => undefined);
      if (sent === undefined || entries.length === 0) continue;
      const places = sent.views.map(({ text }) => placesIn(text));
      if (places.flat().length > 0) return { fill, places };
    }
    throw new NotVerified("The template shows no text of template.variables as it is.");
  });

const placesIn = (text: string): Shown[] =>
  [...inOneLine(text).matchAll(new RegExp(`${word}[\\w-]+`, "g"))].map(({ 0: found, index, input }) => ({
    before:
      input
        .slice(0, index)
        .split(new RegExp(`${word}[\\w-]+`))
        .at(-1)
        ?.slice(-12) ?? "",
    after:
      input
        .slice(index + found.length)
        .split(word)[0]
        ?.slice(0, 12) ?? "",
  }));

/** The subject in the record of a message from a template and, with a mailbox, the plain-text part of the mail. */
async function templateTexts(tester: Tester, template: { id: string; variables: Record<string, unknown> }) {
  const hasMail = tester.run.mailbox !== undefined && tester.settings.fixtures.recipientDomain !== undefined;
  const recipient = hasMail ? newRecipient(tester) : simulatedRecipient(tester);
  const response = await tester.request("sendEmail", {
    body: templateMessage(tester, template, { to: [recipient] }),
  });
  assertSuccess(response);
  const exchange = await lookUpMessage(tester, idOf(response));
  const { text = "" } = hasMail ? await receivedBy(tester, recipient) : {};
  return { views: [String(bodyOf(exchange).subject), text].map((one) => ({ text: one, exchange })) };
}

/** What a text has between these neighbors. */
function between(text: string, { before, after }: Shown): string {
  const line = inOneLine(text);
  const start = line.indexOf(before);
  const rest = start < 0 ? line : line.slice(start + before.length);
  const end = after === "" ? -1 : rest.lastIndexOf(after);
  return end < 0 ? rest : rest.slice(0, end);
}

const templateVariables: Property<string> = {
  name: "the template variable",
  views: ["SEND-16"],
  needs: [...emailNeeds, "template"],
  values: (_, seed) => [
    ...sampleOf(texts(limits.messageTagValueLength), seed).mixed,
    "0",
    "{{order}}",
    "null",
  ],
  carry: async (tester, values) => {
    const { fill, places } = await shownVariables(tester);
    const sent = await Promise.all(
      values.map((value) =>
        templateTexts(
          tester,
          fill(() => value),
        ).catch(() => undefined),
      ),
    );
    if (sent.includes(undefined))
      throw new NotVerified("The server rejects other texts than those in template.variables.");
    return places.flatMap((some, view) =>
      some.map((place) =>
        sent.map((one) => {
          const { text = "", exchange } = one?.views[view] ?? {};
          return { exchange, found: between(text, place) };
        }),
      ),
    );
  },
  isKept: isSameLine,
  hasParts: true,
};

/** One test case per property. */
const kept = (title: string, properties: Record<string, Property<string> | Property<number>>): Check =>
  check(
    [...new Set(Object.values(properties).flatMap(({ views }) => views))],
    title,
    Object.entries(properties).map(([name, property]) =>
      testCase(name, { core: property.core !== undefined, needs: property.needs }, (tester) =>
        assertKept(tester, property as Property<unknown>),
      ),
    ),
  );

const ofKinds = <Value>(property: (kind: SendKind) => Property<Value>): Record<string, Property<Value>> =>
  Object.fromEntries(sendKinds.map((kind) => [kind, property(kind)]));

/** Values that software on the way may change come back as they were sent. */
export const fidelity: Check[] = [
  kept("a record has any tags of the message unchanged", { ...ofKinds(tagValues), names: tagNamesKept }),
  kept("a record has any subject of the message", ofKinds(subjects)),
  kept("the response and the record have any recipients", { sendEmail: recipients }),
  kept("any subject arrives with the message", { sendEmail: mailed.subject }),
  kept("any values of extra headers arrive with the message", {
    "any header": mailed.header,
    "List-Unsubscribe with two links": mailed.links,
  }),
  kept("any text arrives as the plain-text body", { sendEmail: mailed.text }),
  kept("any html arrives as the HTML body", { sendEmail: mailed.html }),
  kept("a template shows any values of its variables", { sendEmail: templateVariables }),
  kept("a scheduled message has any time that was sent", { "fractions and offsets": sendTimes }),
  kept("a membership has any names", { "first_name and last_name": names }),
  kept("a membership has any tags", { tags: contactTags }),
  kept("a membership has any values of custom fields", {
    text: fields.text,
    number: fields.number,
    url: fields.url,
  }),
  kept("a membership has any dates", { date: fields.date }),
  kept("a contact is found by any URL-encoded email address", {
    "getContact and unsubscribeContact": contactAddresses,
  }),
];
