import { limits } from "../../generated/limits.ts";
import { mapValues } from "../../lib/objects.ts";
import { AssertionFailure, configured } from "../engine/assert.ts";
import { scenario } from "../engine/check.ts";
import type { Tester } from "../engine/tester.ts";
import * as hostile from "../generated-cases/hostile-values.ts";
import { contrasted } from "../text.ts";
import { assertSuccess, type Json } from "./assertions.ts";
import { isSameAddress, type Value } from "./kept-values.ts";
import { bytesOf, inOneLine, mailNeeds, manyFiles, receivedBy, sendTo } from "./mail.ts";
import { message, newRecipient, sendBy, sender } from "./messages.ts";

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

/** A mail may wrap its lines. */
const lineOf = (value: unknown): string => inOneLine(String(value).normalize("NFC"));
const isSameLine = (sent: Value, found: unknown): boolean => lineOf(found) === lineOf(sent);
const isContained = (sent: Value, found: unknown): boolean => lineOf(found).includes(lineOf(sent));

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
