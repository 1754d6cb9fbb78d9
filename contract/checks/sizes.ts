import { limits } from "../../generated/limits.ts";
import { count } from "../../lib/text.ts";
import { assert } from "../engine/assert.ts";
import { type Check, caseOf, check, checksOf, scenario, testCase } from "../engine/check.ts";
import { type Exchange, isSuccess } from "../exchange.ts";
import { assertProperty, assertSuccess, bodyOf, idOf, requestOk } from "../support/assertions.ts";
import { assertArrived } from "../support/complete-messages.ts";
import { mailNeeds, manyFiles, receivedBy } from "../support/mail.ts";
import {
  emailNeeds,
  largestBatch,
  lookUpMessage,
  message,
  newRecipient,
  simulatedRecipient,
} from "../support/messages.ts";
import { arrivals } from "../support/scheduled-messages.ts";
import { shown } from "../text.ts";

/** Asserts that a list has these entries, in any order, and no others. @param name of one */
function assertAll(exchange: Exchange, name: string, list: unknown, expected: readonly unknown[]): void {
  const found: unknown[] = Array.isArray(list) ? list : [];
  const lost = expected.find((one) => !found.includes(one));
  assertSuccess(exchange);
  assert(lost === undefined && found.length === expected.length, exchange, {
    expected: `${count(expected.length, name)}${lost === undefined ? "" : `, one of them ${shown(lost, 60)}`}`,
    found: `${count(found.length, name)}${lost === undefined ? "" : ", without it"}`,
  });
}

const needsOfMany = [...emailNeeds, "recipientDomain"] as const;

/** More than software that stores or forwards a file in parts may have of it. */
const largeFile = Buffer.from("Bread and cake. ".repeat(100_000)).toString("base64");

/** A message with every maximum at once, two files of which have one name, and its record. */
const fullestMessage = scenario("a message with every maximum", needsOfMany, async (tester) => {
  const recipients = () => Array.from({ length: limits.recipientsPerField }, () => newRecipient(tester));
  const longText = (index: number) => String(index).padEnd(limits.messageTagValueLength, "é");
  const texts = (length: number, name: string) =>
    Array.from({ length }, (_, index) => [`${name}-${index}`, longText(index)]);
  const sent = {
    from: String(message(tester).from).replace("@", "+o'neil@"),
    to: recipients(),
    cc: recipients(),
    bcc: recipients(),
    subject: "é".repeat(limits.subjectLength),
    reply_to: newRecipient(tester),
    text: "Bread and cake.\n".repeat(6_000),
    html: `<p>${tester.run.unique()}</p>${"<b>Bread</b> and cake. ".repeat(75_000)}`,
    tags: Object.fromEntries(texts(limits.messageTags, "tag")) as Record<string, string>,
    headers: Object.fromEntries(texts(limits.extraHeaders, "X-Contract")),
    attachments: manyFiles(tester).map((file, index) =>
      index === 0 ? { ...file, content: largeFile } : file,
    ),
  };
  const response = await tester.request("sendEmail", { body: message(tester, sent) });
  const record = isSuccess(response) ? await lookUpMessage(tester, idOf(response)) : response;
  return { ...sent, response, record };
});

const ofFullest = checksOf(fullestMessage);

/** What the largest messages and lists must not lose. The largest batch is in the checks of batches and of lookups. */
export const sizes: Check[] = [
  ofFullest(
    ["SEND-7", "SEND-18", "SEND-19", "SEND-21", "SEND-25"],
    "each property can have its maximum at the same time",
    ({ response }) => assertSuccess(response, "success with every maximum"),
  ),
  ofFullest("LOOK-3", "a record has any from address", ({ record, from }) => {
    assertSuccess(record);
    assertProperty(record, "from", from);
  }),
  ofFullest("LOOK-4", "a record has all recipients", ({ record, to, cc, bcc }) => {
    // Whether it also lists those in cc and bcc is unspecified.
    const found = [bodyOf(record).to].flat().filter((one) => ![...cc, ...bcc].includes(String(one)));
    assertAll(record, "recipient", found, to);
  }),
  ofFullest(["LOOK-6", "SEND-21"], "a record has all tags", ({ record, tags }) => {
    const found = Object.entries(bodyOf(record).tags ?? {}).map(String);
    assertAll(record, "tag", found, Object.entries(tags).map(String));
  }),
  check(
    ["SEND-8", "SEND-11", "SEND-12", "SEND-17", "SEND-24", "ATT-1", "ATT-3", "ATT-11", "ATT-12"],
    "each part of a message with all properties arrives",
    [
      ...arrivals(assertArrived, false),
      caseOf(fullestMessage, "with every maximum", { core: false, needs: mailNeeds }, (sent, tester) =>
        assertArrived(tester, sent),
      ),
      caseOf(largestBatch, "of a batch", { core: false, needs: mailNeeds }, async ({ messages }, own) => {
        for (const { to, html, text } of messages) await assertArrived(own, { to, html, text });
      }),
    ],
  ),
  check(
    ["SEND-16", "SEND-17", "SEND-24", "ATT-1"],
    "the mail of a template contains the values of its variables, and all other parts",
    arrivals(assertArrived, true),
  ),
  check(["SEND-18", "SEND-19"], "the last of all recipients in cc and bcc gets the message", [
    caseOf(fullestMessage, "", { core: false, needs: ["mailbox"] }, async ({ cc, bcc }, tester) => {
      for (const last of [cc, bcc]) await receivedBy(tester, String(last.at(-1)));
    }),
  ]),
  check("SEND-34", "the response lists as many suppressed recipients as a message can have", [
    testCase("", { core: false, needs: [...needsOfMany, "hooks.suppress"] }, async (tester) => {
      const gone = Array.from({ length: limits.recipientsPerField - 1 }, () => newRecipient(tester));
      for (const email of gone) await tester.hook("suppress", { email });
      const body = message(tester, { to: [simulatedRecipient(tester), ...gone] });
      const response = await requestOk(tester, "sendEmail", { body });
      assertAll(response, "suppressed recipient", bodyOf(response).suppressed, gone);
    }),
  ]),
];
