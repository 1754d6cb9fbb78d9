import type { OperationId } from "../../generated/operations.ts";
import { assert } from "../engine/assert.ts";
import { type Check, check, type TestCase, testCase, withNeeds } from "../engine/check.ts";
import type { Tester } from "../engine/tester.ts";
import { assertSuccess } from "../support/assertions.ts";
import { mailNeeds, receivedBy } from "../support/mail.ts";
import { message, newRecipient, sends, submit } from "../support/messages.ts";

/** A message with several recipients of each kind. */
const sentToMany = (tester: Tester, operation: OperationId) =>
  tester.once(`a mail with copies: ${operation}`, async (own) => {
    const [to, ...copies] = Array.from({ length: 5 }, () => newRecipient(own)) as [string, ...string[]];
    const [cc, bcc] = [copies.slice(0, 2), copies.slice(2)];
    assertSuccess(await submit(own, operation, message(own, { to: [to], cc, bcc })));
    return { to, cc, bcc };
  });

type Recipients = Awaited<ReturnType<typeof sentToMany>>;

/** The names of the headers that show an email address to a recipient. */
async function headersWith(tester: Tester, email: string, recipient: string): Promise<string[]> {
  const { headers } = await receivedBy(tester, recipient);
  // Mailpit adds the recipients that no header has.
  const isOfServer = ({ key }: { key: string }): boolean =>
    tester.run.mailbox?.addsBcc !== true || key !== "bcc";
  return headers
    .filter((header) => isOfServer(header) && header.value.toLowerCase().includes(email.toLowerCase()))
    .map(({ key }) => key);
}

const copyCases = (assertCopies: (tester: Tester, recipients: Recipients) => Promise<void>): TestCase[] =>
  sends.map((operation) =>
    testCase(operation, { operation, core: operation === "sendEmail" }, async (tester) =>
      assertCopies(tester, await sentToMany(tester, operation)),
    ),
  );

/** What recipients of copies get; others see them or not. */
export const mailCopies: Check[] = withNeeds(mailNeeds, [
  check(
    "SEND-18",
    "recipients in cc get the message, and the others see them",
    copyCases(async (tester, { to, cc }) => {
      for (const email of cc) {
        await receivedBy(tester, email);
        const found = await headersWith(tester, email, to);
        assert(found.includes("cc"), tester.exchanges.at(-1), {
          expected: `a message to ${to} with ${email} in the header Cc`,
          found: found.length === 0 ? "it in no header" : `it in ${found.join(", ")}`,
        });
      }
    }),
  ),
  check(
    "SEND-19",
    "recipients in bcc get the message, and the others do not see them",
    copyCases(async (tester, { to, cc, bcc }) => {
      for (const email of bcc) {
        await receivedBy(tester, email);
        for (const other of [to, ...cc]) {
          const found = await headersWith(tester, email, other);
          assert(found.length === 0, tester.exchanges.at(-1), {
            expected: `a message to ${other} without ${email} in its headers`,
            found: `it in ${found.join(", ")}`,
          });
        }
      }
    }),
  ),
]);
