import { type Need, type TestCase, testCase } from "../engine/check.ts";
import type { Role } from "../engine/settings.ts";
import type { Tester } from "../engine/tester.ts";
import type { Exchange } from "../exchange.ts";
import { assertError } from "./assertions.ts";
import { type From, message, operationOf, sendBy, sender, sendKinds } from "./messages.ts";

/** An address on a nonexistent domain whose name ends with the verified one. */
export const unknownSender: From = (tester) =>
  sender(tester).replace("@", `@nobody-${tester.run.unique()}-`);

/** How messages from a sender are sent; the profile `core` includes `sendEmail`, unless `core` says otherwise. */
interface SenderOptions {
  key?: Role;
  /** The sender of the other messages of a batch. */
  fine?: From;
  needs?: readonly Need[];
  /** The start of each title. */
  title?: string;
  kinds?: readonly (typeof sendKinds)[number][];
  core?: boolean;
}

/** A message from a sender, sent in each of these ways: in a batch it is the last one. */
export const senderCases = (
  from: From,
  assertResponse: (exchange: Exchange) => void,
  { key = "full", fine = sender, needs = [], title = "", kinds = sendKinds, core = true }: SenderOptions = {},
): TestCase[] =>
  kinds.map((kind) =>
    testCase(
      title + kind,
      { operation: operationOf(kind), core: core && kind === "sendEmail", needs },
      async (tester: Tester) => {
        const senders = kind === "sendBatch" ? [fine(tester), from(tester)] : [from(tester)];
        const messages = senders.map((one) => message(tester, { from: one }));
        assertResponse(await sendBy(tester, kind, messages, key));
      },
    ),
  );

export const assertSenderRejected =
  (...statuses: number[]) =>
  (exchange: Exchange): void =>
    assertError(exchange, statuses, "send_rejected", "from", "emails.1.from");
