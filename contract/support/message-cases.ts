import { limits } from "../../generated/limits.ts";
import { configured } from "../engine/assert.ts";
import { type Need, type TestCase, testCase } from "../engine/check.ts";
import type { Role } from "../engine/settings.ts";
import type { Tester } from "../engine/tester.ts";
import type { Exchange } from "../exchange.ts";
import { assertClientError, assertError, assertFieldError, assertRejected, type Json } from "./assertions.ts";
import {
  type From,
  message,
  messageOfOther,
  operationOf,
  type SendKind,
  sendBy,
  sender,
  senderOn,
  sendKinds,
  templateMessage,
} from "./messages.ts";
import { everySuppressed, recipientFields } from "./suppressed-recipients.ts";

type MessageOf = (tester: Tester) => Json;

/** How messages are sent; the profile `core` includes `sendEmail`, unless `core` says otherwise. */
interface Ways {
  key?: Role;
  /** The other messages of a batch. */
  fine?: MessageOf;
  needs?: readonly Need[];
  /** The start of each title. */
  title?: string;
  kinds?: readonly SendKind[];
  core?: boolean;
  /** Whether the other messages of a batch have the same fault: which of them is named is unspecified. */
  isShared?: boolean;
}

/** A message, sent in each of these ways: in a batch it is the second of two. */
export const messageCases = (
  messageOf: MessageOf,
  assertResponse: (exchange: Exchange) => void,
  { key = "full", fine = message, needs = [], title = "", kinds = sendKinds, core }: Ways = {},
): TestCase[] =>
  kinds.map((kind) =>
    testCase(
      title + kind,
      { operation: operationOf(kind), core: core ?? kind === "sendEmail", needs },
      async (tester) => {
        const first = kind === "sendBatch" ? [fine(tester)] : [];
        assertResponse(await sendBy(tester, kind, [...first, messageOf(tester)], key));
      },
    ),
  );

/** The names of a field of the message in `error.fields`. */
export const namesOf = (field: string): [string, string] => [field, `emails.1.${field}`];

export const messageFrom = (from: From) => (tester: Tester) => message(tester, { from: from(tester) });

/** A message from a sender that it is rejected for, with one of these statuses. */
export const senderCases = (from: From, statuses: readonly number[], ways: Ways = {}): TestCase[] => {
  const others = ways.isShared === true ? ["emails.0.from"] : [];
  return messageCases(messageFrom(from), (one) => assertSenderRejected(one, statuses, others), ways);
};

/** @param others what may be named for the fault too */
export const assertSenderRejected = (
  exchange: Exchange,
  statuses: readonly number[],
  others: readonly string[] = [],
): void => assertError(exchange, statuses, "send_rejected", ...namesOf("from"), ...others);

/** An address on a nonexistent domain whose name ends with the verified one. */
export const unknownSender: From = (tester) => sender(tester).replace("@", `@nobody-${tester.run.unique()}-`);

export const unpublishedTemplate: MessageOf = (tester) =>
  templateMessage(tester, configured(tester.settings.fixtures.unpublishedTemplate, "unpublishedTemplate"));

export const assertTemplateRejected = (exchange: Exchange): void =>
  assertClientError(exchange, ...namesOf("template_id"));

export const assertSuppressed = (exchange: Exchange): void =>
  assertError(exchange, 422, "send_rejected", ...recipientFields);

/** Messages that are rejected, each for another reason, and what they need. */
export const rejectedMessages: {
  /** The requirement that it is rejected. */
  id: string;
  title: string;
  needs?: readonly Need[];
  messageOf: MessageOf;
  assertRejection(exchange: Exchange): void;
}[] = [
  {
    id: "ERR-10",
    title: "no subject",
    messageOf: (tester) => message(tester, { subject: undefined }),
    assertRejection: (exchange) => assertFieldError(exchange, ...namesOf("subject")),
  },
  ...(
    [
      ["AUTH-17", "an unknown domain", [], messageFrom(unknownSender), [403, 422]],
      ["AUTH-17", "a domain of another account", ["domains.ofRole.otherAccount"], messageOfOther, [403, 422]],
      [
        "ERR-8",
        "a domain that is unfinished",
        ["domains.unfinished"],
        messageFrom(senderOn("unfinished")),
        [409],
      ],
      ["ERR-9", "a domain that is stopped", ["domains.stopped"], messageFrom(senderOn("stopped")), [409]],
    ] as const
  ).map(([id, title, needs, messageOf, statuses]) => ({
    ...{ id, title, needs, messageOf },
    assertRejection: (exchange: Exchange) => assertSenderRejected(exchange, statuses),
  })),
  {
    id: "SEND-36",
    title: "all recipients suppressed",
    needs: ["suppressed"],
    messageOf: (tester) => message(tester, everySuppressed(tester)),
    assertRejection: assertSuppressed,
  },
  {
    id: "ERR-10",
    title: "a tag value that is too long",
    messageOf: (tester) => message(tester, { tags: { order: "1".repeat(limits.messageTagValueLength + 1) } }),
    assertRejection: (exchange) => assertFieldError(exchange, ...namesOf("tags")),
  },
  {
    id: "SEND-14",
    title: "an unpublished template",
    needs: ["unpublishedTemplate"],
    messageOf: unpublishedTemplate,
    assertRejection: assertTemplateRejected,
  },
  {
    id: "ATT-9",
    title: "an attachment in a private network",
    messageOf: (tester) =>
      message(tester, { attachments: [{ filename: "terms.pdf", path: "https://10.0.0.1/terms.pdf" }] }),
    assertRejection: (exchange) => assertRejected(exchange, ...namesOf("attachments")),
  },
];
