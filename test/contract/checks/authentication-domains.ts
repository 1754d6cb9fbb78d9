import { type Check, check, type Need, type TestCase, testCase } from "../engine/check.ts";
import type { Role } from "../engine/settings.ts";
import type { Exchange } from "../exchange.ts";
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

/** A send from an address, and a batch whose last message is from it while the others have a valid sender. */
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

/** An address on a nonexistent domain whose name ends with the verified one. */
const unknownSender: From = (tester) => sender(tester).replace("@", `@nobody-${tester.run.unique()}-`);

const mail = ["domains.verified", "simulatorDomain"] as const;

const restricted = { key: "restricted", fine: senderOn("restricted") } as const;

export const sendingDomains: Check[] = [
  check(
    "AUTH-5",
    "a key restricted to a domain can send from that domain",
    sendCases(senderOn("restricted"), assertSuccess, restricted),
    { needs: ["keys.restricted", "domains.restricted", "simulatorDomain"] },
  ),
  check(
    ["AUTH-5", "AUTH-17"],
    "a key restricted to a domain is rejected with 403 send_rejected for any other domain",
    sendCases(otherVerifiedSender, assertSendRejected(403), restricted),
    { needs: ["keys.restricted", "domains.restricted", ...mail] },
  ),
  check(
    ["AUTH-17", "ERR-11"],
    "a send from a domain of no or another account is rejected with send_rejected",
    [
      ...sendCases(unknownSender, assertSendRejected(403, 422)),
      ...sendCases((tester) => senderOf(tester, "otherAccount"), assertSendRejected(403, 422), {
        title: "domain of another account, ",
      }).map((testCase) => ({ ...testCase, core: false })),
    ],
    { needs: mail },
  ),
  check(
    ["AUTH-19", "ERR-11"],
    "a send from an account without a verified domain is rejected with send_rejected",
    sendCases(sender, assertSendRejected(403, 422), { key: "noDomain" }),
    { needs: ["keys.noDomain", ...mail] },
  ),
  check(
    "ERR-8",
    "a send from a domain with unfinished verification is rejected with 409 send_rejected",
    sendCases(senderOn("unfinished"), assertSendRejected(409)),
    { needs: ["domains.unfinished", ...mail] },
  ),
  check(
    "ERR-9",
    "a send from a domain stopped for sending is rejected with 409 send_rejected",
    sendCases(senderOn("stopped"), assertSendRejected(409)),
    { needs: ["domains.stopped", ...mail] },
  ),
];
