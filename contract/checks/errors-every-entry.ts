import { limits } from "../../generated/limits.ts";
import type { OperationId } from "../../generated/operations.ts";
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

/** A request in which only a later entry of a property is invalid. */
const invalidCase = (
  operation: OperationId,
  field: string,
  needs: readonly Need[],
  bodyOf: (tester: Tester) => unknown,
): TestCase =>
  testCase(operation, { operation, core: false, needs }, async (tester) =>
    assertFieldError(await tester.request(operation, { body: bodyOf(tester) }), field),
  );

/** A send with these properties, and a batch whose last message has them. */
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

/** A recipient used in no other property, followed by an invalid one. */
const secondAddress =
  (field: string, local: SimulatedRecipient): Changes =>
  (tester) => ({ [field]: [simulatedRecipient(tester, local), "not an address"] });

/** A valid text value, followed by another value. */
const afterText = (tester: Tester, key: string, value: unknown): Record<string, unknown> => ({
  fields: { [configured(tester.settings.fixtures.fields?.text, "fields.text")]: "Leeds", [key]: value },
});

/** Constraints apply to every entry, not only to the first. */
export const everyEntry: Check[] = [
  check("ERR-10", "every entry of to is validated", messageCases("to", secondAddress("to", "success"))),
  check("SEND-18", "every entry of cc is validated", messageCases("cc", secondAddress("cc", "complaint"))),
  check("SEND-19", "every entry of bcc is validated", messageCases("bcc", secondAddress("bcc", "bounce"))),
  check(
    "SEND-22",
    "the name of every tag is validated",
    messageCases("tags", () => ({ tags: { order: "1042", "order id": "1042" } })),
  ),
  check(
    "SEND-23",
    "the value of every tag is validated",
    messageCases("tags", () => ({
      tags: { order: "1042", note: "1".repeat(limits.messageTagValueLength + 1) },
    })),
  ),
  check(
    "SEND-26",
    "the name of every header is validated",
    messageCases("headers", () => ({ headers: { "X-Order": "1042", "Reply-To": "ada@example.com" } })),
  ),
  check(
    "SEND-27",
    "the value of every header is validated",
    messageCases("headers", () => ({ headers: { "X-Order": "1042", "X-Note": "one line\r\nanother" } })),
  ),
  check(
    "CONT-11",
    "the key of every custom field is validated",
    contactCase("fields", (tester) => afterText(tester, unknownFieldKey(tester), "Leeds")),
    { needs: ["fields.text"] },
  ),
  check(
    "CONT-12",
    "the value of every custom field is validated",
    contactCase("fields", (tester) =>
      afterText(tester, configured(tester.settings.fixtures.fields?.date, "fields.date"), "next Tuesday"),
    ),
    { needs: ["fields.text", "fields.date"] },
  ),
  check(
    "CONT-15",
    "every tag of a contact is validated",
    contactCase("tags", () => ({ tags: ["contract-bread", "b".repeat(limits.contactTagLength + 1)] })),
  ),
];
