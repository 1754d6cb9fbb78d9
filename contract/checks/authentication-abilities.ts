import type { OperationId } from "../../generated/operations.ts";
import { type Check, check, type Need, type TestCase, testCase } from "../engine/check.ts";
import type { Role } from "../engine/settings.ts";
import type { Exchange } from "../exchange.ts";
import { assertError, assertSuccess, requestOk } from "../support/assertions.ts";
import {
  batchOf,
  type From,
  message,
  otherVerifiedSender,
  sender,
  senderOf,
  senderOn,
} from "../support/messages.ts";
import { casePerOperation, requestToReject, validRequest } from "../support/requests.ts";

const ofEmail = ["sendEmail", "sendBatch", "getEmail", "rescheduleEmail", "cancelEmail"] as const;

const ofReading = ["listNewsletterLists", "listCustomFields", "getContact"] as const;

const ofManaging = ["upsertContact", "unsubscribeContact"] as const;

/** Valid requests with a key that has only the ability they need. */
const allowedCases = (operations: readonly OperationId[], role: Role, core: OperationId): TestCase[] =>
  casePerOperation(operations, [core], async (tester, operation) => {
    await requestOk(tester, operation, { ...(await validRequest(tester, operation)), key: role });
  });

/** Valid requests with keys that have other abilities; the profile `core` includes only the first key. */
const forbiddenCases = (operations: readonly OperationId[], first: Role, other: Role): TestCase[] =>
  [first, other].flatMap((role) =>
    casePerOperation(
      operations,
      role === first ? operations : [],
      async (tester, operation) => {
        const options = await requestToReject(tester, operation);
        assertError(await tester.request(operation, { ...options, key: role }), 403, "forbidden");
      },
      { suffix: ` with the key ${role}`, needs: [`keys.${role}`] },
    ),
  );

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
    assertError(exchange, statuses, "send_rejected", "from", "emails.1.from");

/** An address on a nonexistent domain whose name ends with the verified one. */
const unknownSender: From = (tester) => sender(tester).replace("@", `@nobody-${tester.run.unique()}-`);

const mail = ["domains.verified", "simulatorDomain"] as const;

const restricted = { key: "restricted", fine: senderOn("restricted") } as const;

export const abilities: Check[] = [
  check(
    "AUTH-8",
    "a key with only email:send can use every email operation",
    allowedCases(ofEmail, "sendOnly", "getEmail"),
    { needs: ["keys.sendOnly"] },
  ),
  check(
    "AUTH-9",
    "a key with only newsletter:read can read lists, custom fields and contacts",
    allowedCases(ofReading, "readOnly", "getContact"),
    { needs: ["keys.readOnly"] },
  ),
  check(
    "AUTH-10",
    "a key with only newsletter:manage can add, update and unsubscribe contacts",
    allowedCases(ofManaging, "manageOnly", "upsertContact"),
    { needs: ["keys.manageOnly"] },
  ),
  check(
    ["AUTH-8", "AUTH-15"],
    "an email request without email:send is rejected with 403 forbidden",
    forbiddenCases(ofEmail, "readOnly", "manageOnly"),
  ),
  check(
    ["AUTH-9", "AUTH-15"],
    "reading newsletter data without newsletter:read is rejected with 403 forbidden",
    forbiddenCases(ofReading, "manageOnly", "sendOnly"),
  ),
  check(
    ["AUTH-10", "AUTH-15"],
    "changing contacts without newsletter:manage is rejected with 403 forbidden",
    forbiddenCases(ofManaging, "readOnly", "sendOnly"),
  ),
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
