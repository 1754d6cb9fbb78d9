import { configured, NotVerified } from "../engine/assert.ts";
import { type Check, check, type Need, type TestCase } from "../engine/check.ts";
import type { Exchange } from "../engine/exchange.ts";
import type { Role } from "../engine/settings.ts";
import type { Tester } from "../engine/tester.ts";
import { assertError, assertSuccess, batchOf, message, sender, senderOf } from "./kit.ts";

type From = (tester: Tester) => string;

/**
 * Trials of a send from an address, and of a batch in which the last message is from there and what stands before it is not at
 * fault.
 */
const fromThere = (
  from: From,
  holds: (exchange: Exchange) => void,
  { key = "full", fine = sender, needs = [] as readonly Need[], title = "" } = {} as {
    key?: Role;
    fine?: From;
    needs?: readonly Need[];
    title?: string;
  },
): TestCase[] => [
  {
    title: `${title}sendEmail`,
    operation: "sendEmail",
    core: true,
    needs,
    run: async (tester) =>
      holds(await tester.request("sendEmail", { key, body: message(tester, { from: from(tester) }) })),
  },
  {
    title: `${title}sendBatch`,
    operation: "sendBatch",
    needs,
    run: async (tester) => {
      const messages = [fine(tester), from(tester)].map((one) => message(tester, { from: one }));
      holds(await tester.request("sendBatch", { key, body: batchOf(...messages) }));
    },
  },
];

const rejected =
  (...statuses: number[]) =>
  (exchange: Exchange): void =>
    assertError(exchange, statuses, "send_rejected");

const on =
  (name: "restricted" | "unfinished" | "stopped"): From =>
  (tester) =>
    `contract@${configured(tester.settings.fixtures.domains?.[name], `domains.${name}`)}`;

/** A verified address that the restricted key may not send from. */
export const outside: From = (tester) => {
  const from = sender(tester);
  if (from === on("restricted")(tester))
    throw new NotVerified("domains.verified is the domain that the restricted key may send from.");
  return from;
};

/** A domain that nobody has; its name ends like that of the verified one. */
const unknown: From = (tester) => sender(tester).replace("@", `@nobody-${tester.run.unique()}-`);

const mail = ["domains.verified", "simulatorDomain"] as const;
const restricted = { key: "restricted", fine: on("restricted") } as const;

export const senders: Check[] = [
  check(
    "AUTH-5",
    "a key that is restricted to a domain sends from there",
    fromThere(on("restricted"), assertSuccess, restricted),
    { needs: ["keys.restricted", "domains.restricted", "simulatorDomain"] },
  ),
  check(
    ["AUTH-5", "AUTH-17"],
    "a key that is restricted to a domain sends from no other: 403 send_rejected",
    fromThere(outside, rejected(403), restricted),
    { needs: ["keys.restricted", "domains.restricted", ...mail] },
  ),
  check(
    ["AUTH-17", "ERR-11"],
    "a send from a domain that is not the account's is refused with send_rejected",
    [
      ...fromThere(unknown, rejected(403, 422)),
      ...fromThere((tester) => senderOf(tester, "otherAccount"), rejected(403, 422), {
        title: "another account's domain, ",
      }).map((trial) => ({ ...trial, core: false })),
    ],
    { needs: mail },
  ),
  check(
    ["AUTH-19", "ERR-11"],
    "a send of an account without a verified domain is refused with send_rejected",
    fromThere(sender, rejected(403, 422), { key: "noDomain" }),
    { needs: ["keys.noDomain", ...mail] },
  ),
  check(
    "ERR-8",
    "a send from a domain that has not finished verification is refused with 409 send_rejected",
    fromThere(on("unfinished"), rejected(409)),
    { needs: ["domains.unfinished", ...mail] },
  ),
  check(
    "ERR-9",
    "a send from a domain that sending is stopped for is refused with 409 send_rejected",
    fromThere(on("stopped"), rejected(409)),
    { needs: ["domains.stopped", ...mail] },
  ),
];
