import type { Email } from "postal-mime";
import type { OperationId } from "../../generated/operations.ts";
import { AssertionFailure, configured, NotVerified } from "../engine/assert.ts";
import type { Need } from "../engine/check.ts";
import type { Tester } from "../engine/tester.ts";
import { assertSuccess } from "./assertions.ts";
import { message, newRecipient, submit } from "./messages.ts";

/** What checks of the mail itself need to send a message. */
export const mailNeeds = ["mailbox", "domains.verified", "recipientDomain"] as const satisfies Need[];

/**
 * The first message to an email address, once it has arrived.
 * @throws NotVerified if no message at all has arrived, AssertionFailure if others have
 */
export async function receivedBy(tester: Tester, recipient: string): Promise<Email> {
  const mailbox = configured(tester.run.mailbox, "mailbox");
  const { delivery } = tester.settings.deadlines;
  const [first] = await tester.until(
    () => mailbox.messagesTo(recipient),
    ({ length }) => length > 0,
    delivery,
  );
  if (first !== undefined) {
    // Loaded with the first message: most runs have no mailbox.
    const { default: PostalMime } = await import("postal-mime");
    return PostalMime.parse(first);
  }
  if (await mailbox.isEmpty())
    throw new NotVerified(
      `No message arrived in the mailbox within ${delivery} s: is it that of the server?`,
    );
  throw new AssertionFailure(tester.exchanges.at(-1), {
    expected: `a message to ${recipient} in the mailbox within ${delivery} s`,
    found: "none, while other messages arrived",
  });
}

/** A message that was sent to a new email address, as it arrives. */
export async function sentAndReceived(
  tester: Tester,
  changes: Record<string, unknown>,
  operation: OperationId = "sendEmail",
): Promise<Email> {
  const recipient = newRecipient(tester);
  assertSuccess(await submit(tester, operation, message(tester, { to: [recipient], ...changes })));
  return receivedBy(tester, recipient);
}

/** A part of a mail in one line, because servers may wrap lines. */
export const inOneLine = (text: string | undefined): string => (text ?? "").replaceAll(/\s+/g, " ").trim();
