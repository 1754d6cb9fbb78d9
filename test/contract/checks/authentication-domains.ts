import { type Check, check, type Need, type TestCase, testCase } from "../engine/check.ts";
import type { Exchange } from "../engine/exchange.ts";
import type { Role } from "../engine/settings.ts";
import { assertError, assertSuccess } from "../support/assertions.ts";
import {
  batchOf,
  type From,
  message,
  otherVerifiedSender,
  sender,
  senderOf,
  senderOn,
} from "../support/messages.ts";

/**
 * Trials of a send from an address, and of a batch in which the last message is from there and what stands before it is not at
 * fault.
 */
const sendCases = (
  from: From,
  holds: (exchange: Exchange) => void,
  { key = "full", fine = sender, needs = [] as readonly Need[], title = "" } = {} as {
    key?: Role;
    fine?: From;
    needs?: readonly Need[];
    title?: string;
  },
): TestCase[] => [
  testCase(`${title}sendEmail`, { operation: "sendEmail", core: true, needs }, async (tester) =>
    holds(await tester.request("sendEmail", { key, body: message(tester, { from: from(tester) }) })),
  ),
  testCase(`${title}sendBatch`, { operation: "sendBatch", needs }, async (tester) => {
    const messages = [fine(tester), from(tester)].map((one) => message(tester, { from: one }));
    holds(await tester.request("sendBatch", { key, body: batchOf(...messages) }));
  }),
];

const assertSendRejected =
  (...statuses: number[]) =>
  (exchange: Exchange): void =>
    assertError(exchange, statuses, "send_rejected");

/** A domain that nobody has; its name ends like that of the verified one. */
const unknownSender: From = (tester) => sender(tester).replace("@", `@nobody-${tester.run.unique()}-`);

const mail = ["domains.verified", "simulatorDomain"] as const;

const restricted = { key: "restricted", fine: senderOn("restricted") } as const;

export const senders: Check[] = [
  check(
    "AUTH-5",
    "a key that is restricted to a domain sends from there",
    sendCases(senderOn("restricted"), assertSuccess, restricted),
    { needs: ["keys.restricted", "domains.restricted", "simulatorDomain"] },
  ),
  check(
    ["AUTH-5", "AUTH-17"],
    "a key that is restricted to a domain sends from no other: 403 send_rejected",
    sendCases(otherVerifiedSender, assertSendRejected(403), restricted),
    { needs: ["keys.restricted", "domains.restricted", ...mail] },
  ),
  check(
    ["AUTH-17", "ERR-11"],
    "a send from a domain that is not the account's is refused with send_rejected",
    [
      ...sendCases(unknownSender, assertSendRejected(403, 422)),
      ...sendCases((tester) => senderOf(tester, "otherAccount"), assertSendRejected(403, 422), {
        title: "another account's domain, ",
      }).map((testCase) => ({ ...testCase, core: false })),
    ],
    { needs: mail },
  ),
  check(
    ["AUTH-19", "ERR-11"],
    "a send of an account without a verified domain is refused with send_rejected",
    sendCases(sender, assertSendRejected(403, 422), { key: "noDomain" }),
    { needs: ["keys.noDomain", ...mail] },
  ),
  check(
    "ERR-8",
    "a send from a domain that has not finished verification is refused with 409 send_rejected",
    sendCases(senderOn("unfinished"), assertSendRejected(409)),
    { needs: ["domains.unfinished", ...mail] },
  ),
  check(
    "ERR-9",
    "a send from a domain that sending is stopped for is refused with 409 send_rejected",
    sendCases(senderOn("stopped"), assertSendRejected(409)),
    { needs: ["domains.stopped", ...mail] },
  ),
];
