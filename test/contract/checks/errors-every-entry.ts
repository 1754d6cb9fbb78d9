import { limits } from "../../../generated/limits.ts";
import type { OperationId } from "../../../generated/operations.ts";
import { configured } from "../engine/assert.ts";
import { type Check, check, type Need, type TestCase, testCase } from "../engine/check.ts";
import type { Tester } from "../engine/tester.ts";
import { assertFieldError } from "../support/assertions.ts";
import { listId, newContact, unknownFieldKey } from "../support/contacts.ts";
import {
  batchOf,
  emailNeeds,
  message,
  type SimulatedRecipient,
  simulatedRecipient,
} from "../support/messages.ts";

type Changes = (tester: Tester) => Record<string, unknown>;

/** A call in which something else than the first entry of a field is wrong, and nothing else. */
const invalidCase = (
  operation: OperationId,
  field: string,
  needs: readonly Need[],
  bodyOf: (tester: Tester) => unknown,
): TestCase =>
  testCase(operation, { operation, core: false, needs }, async (tester) =>
    assertFieldError(await tester.request(operation, { body: bodyOf(tester) }), field),
  );

/** A send like that, and a batch whose last message is like it. */
const messageCases = (field: string, changes: Changes): TestCase[] => [
  invalidCase("sendEmail", field, emailNeeds, (tester) => message(tester, changes(tester))),
  invalidCase("sendBatch", `emails.1.${field}`, emailNeeds, (tester) =>
    batchOf(message(tester), message(tester, changes(tester))),
  ),
];

const contactCase = (field: string, changes: Changes): TestCase[] => [
  invalidCase("upsertContact", field, ["lists.plain"], (tester) => ({
    email: newContact(tester),
    list_id: listId(tester, "plain"),
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
  check("ERR-10", "every address in to is looked at", messageCases("to", secondAddress("to", "success"))),
  check("SEND-18", "every address in cc is looked at", messageCases("cc", secondAddress("cc", "complaint"))),
  check("SEND-19", "every address in bcc is looked at", messageCases("bcc", secondAddress("bcc", "bounce"))),
  check(
    "SEND-22",
    "the name of every tag is looked at",
    messageCases("tags", () => ({ tags: { order: "1042", "order id": "1042" } })),
  ),
  check(
    "SEND-23",
    "the value of every tag is looked at",
    messageCases("tags", () => ({
      tags: { order: "1042", note: "1".repeat(limits.messageTagValueLength + 1) },
    })),
  ),
  check(
    "SEND-26",
    "the name of every header is looked at",
    messageCases("headers", () => ({ headers: { "X-Order": "1042", "Reply-To": "ada@example.com" } })),
  ),
  check(
    "SEND-27",
    "the value of every header is looked at",
    messageCases("headers", () => ({ headers: { "X-Order": "1042", "X-Note": "one line\r\nanother" } })),
  ),
  check(
    "CONT-11",
    "the key of every custom field is looked at",
    contactCase("fields", (tester) => afterText(tester, unknownFieldKey(tester), "Leeds")),
    { needs: ["fields.text"] },
  ),
  check(
    "CONT-12",
    "the value of every custom field is looked at",
    contactCase("fields", (tester) =>
      afterText(tester, configured(tester.settings.fixtures.fields?.date, "fields.date"), "next Tuesday"),
    ),
    { needs: ["fields.text", "fields.date"] },
  ),
  check(
    "CONT-15",
    "every tag of a contact is looked at",
    contactCase("tags", () => ({ tags: ["contract-bread", "b".repeat(limits.contactTagLength + 1)] })),
  ),
];
