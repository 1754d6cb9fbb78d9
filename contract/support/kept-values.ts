import type fc from "fast-check";
import { limits } from "../../generated/limits.ts";
import { mapValues } from "../../lib/objects.ts";
import { AssertionFailure, configured } from "../engine/assert.ts";
import { type Check, check, type Need, scenario, testCase } from "../engine/check.ts";
import type { Tester } from "../engine/tester.ts";
import type { Exchange } from "../exchange.ts";
import * as hostile from "../generated-cases/hostile-values.ts";
import { contrasted } from "../text.ts";
import { assertSuccess, type Json } from "./assertions.ts";
import { bytesOf, inOneLine, mailNeeds, manyFiles, receivedBy, sendTo } from "./mail.ts";
import { message, newRecipient, sendBy, sender } from "./messages.ts";

export type Value = string | number;

/** What shows the values of a request, and the exchange to report. */
export interface View {
  source: Json;
  exchange: Exchange;
}

/** How requests with values are sent, and where they are shown. */
export interface Way {
  needs: readonly Need[];
  /** Sends a request with these properties; resolves to all that shows them. */
  send(tester: Tester, properties: Json): Promise<View[]>;
  isKept(sent: Value, found: unknown): boolean;
}

/** A property of requests that responses, records or the mail show. */
export interface Property extends Way {
  /** In messages, with an article; the index is that of the value in its request. */
  name: string | ((sent: Value, index: number, view: number, properties: Json) => string);
  /** The requirements that a value is kept, by view; null: it is not there. The last ones are also those of further views. */
  ids: readonly (string | readonly string[] | null)[];
  /** Default: texts of at most `maxLength`. */
  values?(tester: Tester): fc.Arbitrary<readonly Value[]>;
  maxLength?: number;
  /** The requirements that are not met either if only texts of more than half of `maxLength` are changed. */
  lengthIds?: readonly string[];
  /** How many values the profile `core` sends; default: none. */
  core?: number;
  /** How many values one request has; default: 1. */
  most?: number | ((tester: Tester) => Promise<number>);
  fill(values: readonly Value[], tester: Tester): Json | Promise<Json>;
  /** The value in what shows it; `index` is its place in the request with these properties. */
  read(source: Json, value: Value, index: number, view: number, properties: Json): unknown;
}

/** The first value that does not come back as it was sent. */
async function findChanged(
  tester: Tester,
  { name, most = 1, fill, send, ids, read, isKept }: Property,
  values: readonly Value[],
) {
  const size = typeof most === "number" ? most : await most(tester);
  const starts = [...values.keys()].filter((index) => index % size === 0);
  const changed = starts.map(async (start) => {
    const group = values.slice(start, start + size);
    const properties = await fill(group, tester);
    const views = await send(tester, properties);
    return views.flatMap(({ source, exchange }, view) =>
      group.flatMap((sent, index) => {
        const { [view]: id = ids.at(-1) ?? null } = ids;
        const found = id !== null && read(source, sent, index, view, properties);
        if (id === null || isKept(sent, found)) return [];
        const named = typeof name === "string" ? name : name(sent, index, view, properties);
        return [{ sent, name: named, found, exchange, failed: [id].flat() }];
      }),
    );
  });
  return (await Promise.all(changed)).flat()[0];
}

/** After as many, parts of the longest text are short. */
const mostRounds = 10;

async function assertKept(tester: Tester, property: Property): Promise<void> {
  const {
    maxLength = Infinity,
    lengthIds = [],
    values: arbitrary = () => hostile.texts(maxLength),
  } = property;
  const all = hostile.sampled(tester, arbitrary(tester));
  const values = tester.settings.profile === "core" ? all.slice(0, property.core) : all;
  let changed = await findChanged(tester, property, values);
  if (changed === undefined) return;
  for (let round = 0; round < mostRounds; round += 1) {
    const parts: string[] = typeof changed.sent === "string" ? hostile.partsOf(changed.sent) : [];
    // The server may reject a part, for example of a date.
    const next: Awaited<ReturnType<typeof findChanged>> | false =
      parts.length > 0 && (await findChanged(tester, property, parts).catch(() => undefined));
    if (!next) break;
    changed = next;
  }
  const { sent, name, found, exchange, failed } = changed;
  const expected = `${name} ${contrasted(sent, found)}`;
  const isLong = 2 * [...String(sent)].length > maxLength;
  throw new AssertionFailure(exchange, { expected, found: contrasted(found, sent) }, [
    ...failed,
    ...(isLong ? lengthIds : []),
  ]);
}

export const isEqual = (sent: Value, found: unknown): boolean => found === sent;

/** The same text, but for its normal form and the space at its ends, which are unspecified. */
export const isSameText = (sent: Value, found: unknown): boolean =>
  typeof found === "string" && found.normalize("NFC").trim() === String(sent).normalize("NFC").trim();

/** A mail may wrap its lines. */
const lineOf = (value: unknown): string => inOneLine(String(value).normalize("NFC"));
const isSameLine = (sent: Value, found: unknown): boolean => lineOf(found) === lineOf(sent);
const isContained = (sent: Value, found: unknown): boolean => lineOf(found).includes(lineOf(sent));

/** The case of a recipient's local part is unspecified. */
export const isSameAddress = (sent: Value, found: unknown): boolean =>
  String(found).toLowerCase() === String(sent).toLowerCase();

/** The entry that is the value, the only one, or all. */
export function entryIn(list: unknown, value: Value, isSame: Property["isKept"]): unknown {
  const entries = Array.isArray(list) ? (list as unknown[]) : [];
  return entries.find((entry) => isSame(value, entry)) ?? (entries.length === 1 ? entries[0] : entries);
}

/** One test case per property. */
export function kept(title: string, properties: Record<string, Property>): Check {
  const all = Object.values(properties);
  const ids = all.flatMap((one) => [one.ids.flat(), one.lengthIds ?? []].flat().filter((id) => id !== null));
  const needs = all[0]?.needs.filter((need) => all.every((one) => one.needs.includes(need))) ?? [];
  const cases = Object.entries(properties).map(([name, property]) =>
    testCase(name, { core: property.core !== undefined, needs: property.needs }, (tester) =>
      assertKept(tester, property),
    ),
  );
  return check([...new Set(ids)], title, { needs }, cases);
}

/** Dates and numbers may have rules of their own. */
const isWord = (one: unknown): boolean => typeof one === "string" && /^\p{L}[\p{L} ]*$/u.test(one);

const links = "<mailto:leave@example.com?subject=a%2Cb>, <https://example.com/leave?a=1&b=2;c>";
/** Enough that a header is folded. */
const headerLength = 200;
const [bread, cake] = ["Brötchen, 2 €; ", "<b>Bread</b> and cake. "];

/** A message with every property, none of which another message has; what is undefined is not sent. */
export function completeMessage(tester: Tester) {
  const one = tester.run.unique();
  const textsOf = (most: number) => hostile.sampled(tester, hostile.texts(most, hostile.mailPieces));
  const headers = textsOf(headerLength)
    .slice(0, limits.extraHeaders - 1)
    .map((text, index) => [`X-Contract-${index}`, `${one} ${text}`]);
  return message(tester, {
    // What software takes off an email address, or reads in another way.
    from: sender(tester).replace("@", `+a%41b/o'neil-${one}@`),
    to: [newRecipient(tester)],
    cc: [newRecipient(tester)],
    bcc: [newRecipient(tester)],
    reply_to: newRecipient(tester).replace("@", "+a%41b/o'neil@"),
    subject: `${one} ${textsOf(limits.subjectLength - one.length - 1)[0]}`,
    // Lines that have a meaning in SMTP and in files of mail, and lines that are too long for SMTP.
    html: `<p>Zoë, Zoe\u0308 ${one}</p>${cake.repeat(100)}`,
    text: `Zoë, Zoe\u0308 ${one}\n. 2 €\n..\nFrom the oven\n-- \nBye\n${bread.repeat(80)}`,
    tags: { order: one },
    headers: { "List-Unsubscribe": links, ...Object.fromEntries(headers) },
    attachments: manyFiles(tester),
  });
}

const wordStart = "Contract-";

/** The same from the template, without a body of its own. */
export function completeTemplate(tester: Tester): Json {
  const { id, variables = {} } = configured(tester.settings.fixtures.template, "template");
  const word = wordStart + tester.run.unique();
  const filled = mapValues(variables, (one) => (isWord(one) ? word : one));
  const none = { subject: undefined, html: undefined, text: undefined };
  return { ...completeMessage(tester), ...none, template_id: id, variables: filled };
}

/** One with its own content, and one from the template if there is one. */
export const completeMessages = (tester: Tester): Json[] => [
  ...(tester.settings.fixtures.template ? [completeTemplate(tester)] : []),
  completeMessage(tester),
];

/** Each in a request, also with one body alone and without reply_to. */
export const completeSends = scenario("complete messages", mailNeeds, async (tester) => {
  const alone = ["html", "text"].map((name) => ({
    ...completeMessage(tester),
    ...{ [name]: undefined, reply_to: undefined },
  }));
  const sent = [...completeMessages(tester), ...alone];
  for (const one of sent) assertSuccess(await sendBy(tester, "sendEmail", [one]));
  return sent;
});

/** Several of each kind in one request. A batch has no attachments. */
export const completeBatch = scenario("a batch of complete messages", mailNeeds, async (tester) => {
  const all = [...completeMessages(tester), ...completeMessages(tester)];
  const sent = all.toReversed().map((one): Json => ({ ...one, attachments: undefined }));
  assertSuccess(await sendBy(tester, "sendBatch", sent));
  return sent;
});

type IsKept = typeof isSameLine;
type Part = readonly [id: string, name: string, sent: unknown, found: unknown, isKept?: IsKept];

const isShown: IsKept = (sent, found) => isContained(String(sent).toLowerCase(), String(found).toLowerCase());

/** Asserts that the mail of the first recipient has each part of its message. */
export async function assertArrived(tester: Tester, sent: Json): Promise<void> {
  const { from, to, subject, html, text, reply_to, variables, headers, attachments = [] } = sent;
  const recipient = String([to].flat()[0]);
  const mail = await receivedBy(tester, recipient);
  const replies = mail.replyTo?.length ? mail.replyTo : [mail.from];
  const word = Object.values(variables ?? {}).find((one) => String(one).startsWith(wordStart));
  const parts: Part[] = [
    ["SEND-8", "the subject", subject, mail.subject],
    ["SEND-11", "html that contains", html, mail.html, isContained],
    ["SEND-12", "text that contains", text, mail.text, isContained],
    ["SEND-16", "the variable", word, [mail.subject, mail.html, mail.text].join("\n"), isShown],
    ["SEND-17", "replies to", reply_to ?? from, replies.map((one) => one?.address).join(", "), isSameAddress],
    ...Object.entries(headers ?? {}).map(([name, value]): Part => {
      // A server may add headers of its own.
      const found = mail.headers.filter(({ key }) => key === name.toLowerCase()).map((one) => one.value);
      return ["SEND-24", `${name}:`, value, found.find((one) => isSameLine(String(value), one)) ?? found[0]];
    }),
    ...(attachments as ReturnType<typeof manyFiles>).map(({ filename, content, content_type }): Part => {
      const file = mail.attachments.find((one) => bytesOf(one) === content);
      const ofType = content_type === undefined ? "ATT-12" : "ATT-11";
      const id = file && lineOf(file.filename) === lineOf(filename) ? ofType : file ? "ATT-3" : "ATT-1";
      const found = file && `${file.filename}, ${file.mimeType}`;
      return [id, "the file", `${filename}, ${content_type ?? "application/octet-stream"}`, found];
    }),
  ];
  for (const [id, name, part, found, isKept = isSameLine] of parts) {
    if (part === undefined || isKept(String(part), found)) continue;
    const expected = `a mail with ${name} ${contrasted(part, found)}`;
    const failure = { expected, found: found === undefined ? "none" : contrasted(found, part) };
    throw new AssertionFailure(sendTo(tester, recipient), failure, [id]);
  }
}
