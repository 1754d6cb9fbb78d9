import { limits } from "../../../generated/limits.ts";
import type { OperationId } from "../../../generated/operations.ts";
import { configured } from "../engine/assert.ts";
import { type Check, check, type Need, type TestCase } from "../engine/check.ts";
import type { Tester } from "../engine/tester.ts";
import { mailNeeds } from "./journeys.ts";
import { batchOf, message, newContact, type SimulatedRecipient, simulatedRecipient } from "./kit.ts";
import { listOf, newKey } from "./newsletter.ts";
import { refusedFor } from "./refusals.ts";

type Changes = (tester: Tester) => Record<string, unknown>;

/** A call in which something else than the first entry of a field is wrong, and nothing else. */
const trial = (
  operation: OperationId,
  field: string,
  needs: readonly Need[],
  bodyOf: (tester: Tester) => unknown,
): TestCase => ({
  title: operation,
  operation,
  core: false,
  needs,
  run: async (tester) => refusedFor(await tester.request(operation, { body: bodyOf(tester) }), field),
});

/** A send like that, and a batch whose last message is like it. */
const inMessages = (field: string, changes: Changes): TestCase[] => [
  trial("sendEmail", field, mailNeeds, (tester) => message(tester, changes(tester))),
  trial("sendBatch", `emails.1.${field}`, mailNeeds, (tester) =>
    batchOf(message(tester), message(tester, changes(tester))),
  ),
];

const inContact = (field: string, changes: Changes): TestCase[] => [
  trial("upsertContact", field, ["lists.plain"], (tester) => ({
    email: newContact(tester),
    list_id: listOf(tester, "plain"),
    ...changes(tester),
  })),
];

/** An address that stands in no other field, and something after it that is none. */
const secondAddress =
  (field: string, local: SimulatedRecipient): Changes =>
  (tester) => ({ [field]: [simulatedRecipient(tester, local), "not an address"] });

/** A good value of the custom field for texts, in front of another value. */
const afterText = (tester: Tester, key: string, value: unknown): Record<string, unknown> => ({
  fields: { [configured(tester.settings.fixtures.fields?.text, "fields.text")]: "Leeds", [key]: value },
});

/** Rules on entries hold for each of them, not for the first one alone. */
export const laterEntries: Check[] = [
  check("ERR-10", "every address in to is looked at", inMessages("to", secondAddress("to", "success"))),
  check("SEND-18", "every address in cc is looked at", inMessages("cc", secondAddress("cc", "complaint"))),
  check("SEND-19", "every address in bcc is looked at", inMessages("bcc", secondAddress("bcc", "bounce"))),
  check(
    "SEND-22",
    "the name of every tag is looked at",
    inMessages("tags", () => ({ tags: { order: "1042", "order id": "1042" } })),
  ),
  check(
    "SEND-23",
    "the value of every tag is looked at",
    inMessages("tags", () => ({
      tags: { order: "1042", note: "1".repeat(limits.messageTagValueLength + 1) },
    })),
  ),
  check(
    "SEND-26",
    "the name of every header is looked at",
    inMessages("headers", () => ({ headers: { "X-Order": "1042", "Reply-To": "ada@example.com" } })),
  ),
  check(
    "SEND-27",
    "the value of every header is looked at",
    inMessages("headers", () => ({ headers: { "X-Order": "1042", "X-Note": "one line\r\nanother" } })),
  ),
  check(
    "CONT-11",
    "the key of every custom field is looked at",
    inContact("fields", (tester) => afterText(tester, newKey(tester), "Leeds")),
    { needs: ["fields.text"] },
  ),
  check(
    "CONT-12",
    "the value of every custom field is looked at",
    inContact("fields", (tester) =>
      afterText(tester, configured(tester.settings.fixtures.fields?.date, "fields.date"), "next Tuesday"),
    ),
    { needs: ["fields.text", "fields.date"] },
  ),
  check(
    "CONT-15",
    "every tag of a contact is looked at",
    inContact("tags", () => ({ tags: ["contract-bread", "b".repeat(limits.contactTagLength + 1)] })),
  ),
];
