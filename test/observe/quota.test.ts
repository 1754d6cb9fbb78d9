import { describe, expect, it, test } from "vitest";
import type { ObserverOptions } from "../../contract/observe/state.ts";
import type { ObservedExchange } from "../../contract/observe/subjects.ts";
import { accepted, error, exchange, failedIds, message, observed } from "./samples.ts";

type Changes = Parameters<typeof exchange>[2];

const known: ObserverOptions = {
  keys: { full: "key_of_samples", otherAccount: "key_of_other", restricted: "key_of_restricted" },
  fixtures: {},
};
const all = { ...known, isAllTraffic: true };
const failed = (traffic: readonly ObservedExchange[], options: ObserverOptions = all): string[] =>
  failedIds(observed(traffic, options));
/** Failures in traffic with an exchange each second. */
const failedInOrder = (traffic: readonly ObservedExchange[], options?: ObserverOptions): string[] =>
  failed(
    traffic.map((one, index) => atSecond(index, one)),
    options,
  );

const path = "/api/v1/emails";
const ofKey = (key: string): Changes => ({
  requestHeaders: { authorization: `Bearer ${key}`, "content-type": "application/json" },
});
const withQuota = (remaining: number, { responseHeaders, ...changes }: Changes = {}): Changes => ({
  ...changes,
  responseHeaders: { "x-service-monthly-remaining": String(remaining), ...responseHeaders },
});
let ids = 0;
const send = (remaining: number, changes: Changes = {}) => {
  ids += 1;
  return exchange("POST", path, {
    ...{ sent: message, ...accepted(`msg_${ids}`) },
    ...withQuota(remaining, changes),
  });
};
const scheduled = (remaining: number, changes: Changes = {}) => {
  ids += 1;
  const received = { id: `sched_${ids}`, status: "scheduled", scheduled_at: "2026-11-24T13:00:00.000Z" };
  return exchange("POST", path, {
    sent: { ...message, scheduled_at: "2026-11-24T13:00:00Z" },
    ...{ status: 202, received: { ...received, suppressed: [] } },
    ...withQuota(remaining, changes),
  });
};
const invalid = error(422, "invalid_request", { "emails.1.subject": ["No."] });
const rejected = (remaining: number, changes: Changes = {}) =>
  exchange("POST", `${path}/batch`, {
    sent: { emails: [message, { ...message, subject: "x".repeat(999) }] },
    ...invalid,
    ...withQuota(remaining, changes),
  });
/** The same exchange so many seconds after noon. */
const atSecond = (seconds: number, one: ObservedExchange): ObservedExchange => ({
  ...one,
  startedAt: Date.parse("2026-11-24T12:00:00Z") + seconds * 1000 + 0.5,
});
const fault = ["HEAD-4", "LIMIT-5"];

describe("a quota that falls from a rejected batch to the next", () => {
  const lookUp = (key: string) =>
    exchange("GET", "/api/v1/emails/msg_0", { ...error(404, "not_found"), ...ofKey(key) });

  it.each<[title: string, traffic: ObservedExchange[], ids: string[]]>([
    ["is a failure", [rejected(900), rejected(898)], fault],
    ["also if something was read", [rejected(900), lookUp("key_of_samples"), rejected(898)], fault],
    ["by more than a scheduled message has, too", [scheduled(900), rejected(900), rejected(898)], fault],
    ["unless a scheduled message may be sent", [scheduled(900), rejected(900), rejected(899)], []],
    ["unless a send was accepted", [rejected(900), send(899), rejected(899)], []],
    ["unless a send has no response", [rejected(900), send(0, { status: 0 }), rejected(899)], []],
    ["unless a send failed", [rejected(900), send(0, error(500, "server_error")), rejected(899)], []],
    ["unless the accounts differ", [rejected(900), rejected(898, ofKey("key_of_other"))], []],
    ["unless they overlap", [rejected(900), rejected(898)].map((one) => ({ ...one, precision: 1000 })), []],
    ["unless they are rejected in another way", [rejected(900), rejected(0, error(401, "unauthorized"))], []],
    [
      "unless the whole quota differs",
      [rejected(900), rejected(0, { responseHeaders: { "x-service-monthly-quota": "0" } })],
      [],
    ],
    ["unless it rises", [rejected(900), rejected(1000)], []],
  ])("%s", (_, traffic, expected) => {
    expect(failedInOrder(traffic)).toEqual(expected);
    expect(failedInOrder(traffic, known)).toEqual([]);
  });

  it("is none if the traffic has a key that is not known: it may be of the account", () => {
    const lists = (key: string) =>
      exchange("GET", "/api/v1/newsletter/lists", { received: { lists: [] }, ...ofKey(key) });
    const between = (key: string) => [rejected(900), lists(key), rejected(898)];
    expect(failedInOrder(between("key_of_another"))).toEqual([]);
    expect(failedInOrder(between("key_of_other"))).toEqual(fault);
  });
});

test("a quota of zero stays zero, however much is sent", () => {
  const toMany = (recipients: number, remaining: number) => {
    const to = Array.from({ length: recipients }, (_, index) => `reader-${index}@readers.example`);
    const received = { id: `msg_${recipients}_${remaining}`, to, suppressed: [] };
    return send(remaining, { sent: { ...message, to }, received });
  };
  expect(failedInOrder([toMany(4, 1), toMany(2, 0), toMany(3, 0)])).toEqual([]);
  expect(failedInOrder([toMany(4, 10), toMany(2, 0)])).toEqual(fault);
});

describe("messages that are not known may count", () => {
  it.each<[title: string, traffic: ObservedExchange[]]>([
    [
      "that a key whose domain is not known scheduled",
      [
        atSecond(0, scheduled(1000, ofKey("key_of_restricted"))),
        atSecond(1, send(999)),
        atSecond(7200, send(997)),
      ],
    ],
    [
      "whose time changed during another request about them",
      (() => {
        const sent = scheduled(1000);
        const url = `${path}/${JSON.parse(sent.responseBody).id}`;
        const moved = { scheduled_at: "2026-11-24T14:00:00.000Z" };
        return [
          atSecond(0, sent),
          atSecond(
            600,
            exchange("PATCH", url, { sent: moved, received: { ...JSON.parse(sent.responseBody), ...moved } }),
          ),
          atSecond(600, exchange("GET", url, error(404, "not_found"))),
          atSecond(700, send(999)),
          atSecond(14_400, send(997)),
        ];
      })(),
    ],
    [
      "that are too many to remember",
      [
        ...Array.from({ length: 70 }, (_, index) => atSecond(5 * index, scheduled(1000))),
        // Requests at the same time: the quota is not known for a while.
        ...[atSecond(500, send(999)), atSecond(500, send(998))],
        atSecond(1400, send(997)),
        atSecond(10_800, send(926)),
      ],
    ],
    [
      "of a request that ended in a server failure",
      [send(900), send(0, error(500, "server_error")), send(898)].map((one, index) => atSecond(index, one)),
    ],
  ])("%s", (_, traffic) => {
    expect(failed(traffic)).toEqual([]);
  });
});
