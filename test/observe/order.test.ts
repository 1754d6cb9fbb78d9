import { Readable } from "node:stream";
import { describe, expect, it, test } from "vitest";
import { Observer } from "../../contract/observe/observer.ts";
import type { ObserverOptions } from "../../contract/observe/state.ts";
import type { ObservedExchange } from "../../contract/observe/subjects.ts";
import { readHar } from "../../scripts/observe/read-har.ts";
import { readNdjson } from "../../scripts/observe/read-traffic.ts";
import { precisionOf, timeOf } from "../../scripts/observe/recorded-values.ts";
import type { TrafficExchange } from "../../scripts/observe/traffic.ts";
import {
  accepted,
  entry,
  error,
  exchange,
  failedIds,
  har,
  line,
  message,
  observed,
  resultOfTraffic,
} from "./samples.ts";

type Changes = Parameters<typeof exchange>[2];

const failed = (traffic: readonly ObservedExchange[], options: ObserverOptions = {}): string[] =>
  failedIds(observed(traffic, options));
const contacts = "/api/v1/newsletter/contacts";
const ada = `${contacts}/ada%40readers.example`;
const membership = (list_id: number, changes: object = {}) => ({
  ...{ list_id, email: "ada@readers.example", status: "subscribed", status_description: "Subscribed." },
  ...{ first_name: null, last_name: null, fields: {}, tags: [] },
  ...{ subscribed_at: "2026-11-24T11:59:00Z", unsubscribed_at: null },
  ...changes,
});
const record = (...lists: object[]) => ({ email: "ada@readers.example", marketing_blocked: false, lists });
const start = Date.parse("2026-11-24T12:00:00Z");
const at = (milliseconds: number, duration: number): Changes => ({
  startedAt: start + milliseconds + 0.5,
  milliseconds: duration,
});
const upsert = (list_id: number, changes: Changes = {}) =>
  exchange("POST", contacts, {
    sent: { email: "Ada@readers.example", list_id },
    status: 201,
    received: membership(list_id),
    ...changes,
  });
const lookUp = (changes: Changes = {}) =>
  exchange("GET", ada, { received: record(membership(2)), ...changes });
const absent = error(404, "not_found");
const ofKey = (key: string): Changes => ({ requestHeaders: { authorization: `Bearer ${key}` } });

const recordOf = (id: string, delivered_at: string) => ({
  ...{ id, from: message.from, to: message.to, subject: message.subject, tags: {} },
  ...{ status: "delivered", status_description: "Delivered.", scheduled_at: null, bounce: null },
  ...{ sent_at: "2026-11-24T12:00:02Z", delivered_at, bounced_at: null, complained_at: null },
  events: [{ type: "sent", at: "2026-11-24T12:00:02Z", detail: null }],
});

const known = {
  keys: { full: "key_of_samples", otherAccount: "key_of_other" },
  fixtures: { lists: { plain: 2, otherAccount: 11 } },
};
const all = { ...known, isAllTraffic: true };

describe("requests that may overlap have no order", () => {
  it.each([
    ["the same key", "key_of_samples"],
    ["another key", "key_of_another_application"],
  ])("a lookup during an upsert of the contact, by %s, which nothing says the account of", (_, key) => {
    const traffic = [
      exchange("GET", "/api/v1/me", at(0, 10)),
      exchange("GET", "/api/v1/me", { ...at(20, 10), ...ofKey(key) }),
      upsert(2, at(100, 600)),
      lookUp({ ...at(300, 20), ...ofKey(key) }),
    ];
    expect(failed(traffic)).toEqual([]);
  });

  it("a message that was looked up before the response to its send was complete", () => {
    const send = (id: string, left: number, changes: Changes) =>
      exchange("POST", "/api/v1/emails", {
        ...{ sent: message, ...accepted(id), ...changes },
        responseHeaders: { "x-service-monthly-remaining": String(left) },
      });
    const early = exchange("GET", "/api/v1/emails/msg_2", {
      ...{ received: recordOf("msg_2", "2026-11-24T12:00:09Z"), ...at(1400, 20) },
    });
    const sends = [send("msg_1", 900, at(0, 20)), send("msg_2", 899, at(1000, 600))];
    expect(failed([...sends, early, send("msg_3", 898, at(2000, 20))], all)).toEqual([]);
  });

  it("a rejection after responses whose order is not known, of which one said that nothing remains", () => {
    const options = { keys: { full: "key_of_samples" }, fixtures: {}, isAllTraffic: true };
    const me = (remaining: number, changes: Changes) =>
      exchange("GET", "/api/v1/me", {
        responseHeaders: { "x-ratelimit-remaining": String(remaining) },
        ...changes,
      });
    const limited = { ...error(429, "rate_limited"), responseHeaders: { "retry-after": "9" } };
    const rejected = exchange("GET", "/api/v1/me", { ...limited, ...at(300, 10) });
    const both = [me(0, at(0, 90)), me(1, at(10, 200)), rejected];
    expect(failed(both, options)).toEqual([]);
    const other = exchange("GET", "/api/v1/domains", { received: { data: [] }, ...at(150, 10) });
    expect(failed([me(1, at(10, 90)), other, rejected], options)).toEqual([]);
    expect(failed([me(1, at(10, 90)), rejected], options)).toEqual(["LIMIT-1"]);
  });

  it("a request without a time, or without a duration, and any other about the same", () => {
    const changed = upsert(3, at(100, 50));
    const later = lookUp({ received: record(membership(2), membership(3)), ...at(200, 20) });
    for (const name of ["startedAt", "milliseconds"])
      expect(failed([lookUp(at(0, 20)), { ...changed, [name]: undefined }, later])).toEqual([]);
  });

  it("what contact a request changed whose body the record lacks", () => {
    const cut = { ...upsert(3, at(100, 50)), requestBody: undefined, isCut: true };
    const traffic = [
      lookUp(at(0, 20)),
      cut,
      lookUp({ received: record(membership(2), membership(3)), ...at(200, 20) }),
    ];
    expect(failed(traffic)).toEqual([]);
    expect(
      failed([...traffic.slice(0, 1), ...traffic.slice(2)], { ...known, isAllTraffic: true }),
    ).not.toEqual([]);
  });
});

describe("an exchange lasts as long as its times may mean", () => {
  const both = [upsert(2, at(0, 20)), lookUp({ ...at(300, 20), ...absent })];

  it("a fault between requests of which the record shows the order is found", () => {
    expect(failed(both)).not.toEqual([]);
    expect(failed(both.map((one) => ({ ...one, precision: 100 })))).not.toEqual([]);
    expect(failed(both.map((one) => ({ ...one, precision: 1000 })))).toEqual([]);
  });

  it.each([
    ["over one connection", { connection: "17" }, "HTTP/1.1", true],
    ["over one connection of HTTP/2, which has several at the same time", { connection: "17" }, "h2", false],
    [
      "with the port of the server, which is no connection (Firefox)",
      { connection: "443" },
      "HTTP/1.1",
      false,
    ],
    ["over connections that are not known", {}, "HTTP/1.1", false],
  ])("the archive's own order decides in whole seconds %s: %o", (_, more, httpVersion, isFound) => {
    const entries = both.map((one) => {
      const { request, ...others } = entry({ ...one, startedAt: start });
      return { ...others, ...more, request: { ...request, httpVersion } };
    });
    const observer = new Observer();
    for (const one of readHar(har(...entries), "a")) observer.add(withPath(one as TrafficExchange));
    observer.end();
    expect(failedIds(observer).length > 0).toBe(isFound);
  });

  it("two connections have no order, also if each has one", () => {
    const [first, second] = both.map((one, index) => ({
      ...one,
      precision: 1000,
      connection: String(index),
    }));
    expect(failed([first, second] as ObservedExchange[])).toEqual([]);
    const third = { ...lookUp({ ...at(400, 20), ...absent }), precision: 1000, connection: "0" };
    expect(failed([first, second, third] as ObservedExchange[])).toEqual([]);
  });

  it("archives and lines show how precise their times are", async () => {
    const times = ["12:00:00Z", "12:00:00.120Z", "12:00:00.123456+00:00"].map((time) =>
      timeOf(`2026-11-24T${time}`),
    );
    expect(times).toEqual([start, start + 120, expect.closeTo(start + 123.456, 3)]);
    expect(times.map(precisionOf)).toEqual([1000, 1, 0.001]);
    expect(timeOf(1e300)).toBeUndefined();
    const lines = [line({ ...lookUp(), startedAt: start, milliseconds: 20 }), line(lookUp(at(0.25, 2.5)))];
    const found = await Array.fromAsync(readNdjson(Readable.from([lines.join("\n")]), "a"));
    expect(found).toMatchObject([{ precision: 1001 }, { precision: 0.001 }]);
  });
});

const withPath = ({ url, ...one }: TrafficExchange): ObservedExchange => ({
  ...one,
  path: new URL(url).pathname.replace("/email/", "/"),
});

describe("faults that a record shows", () => {
  const send = (id: string, remaining: number) =>
    exchange("POST", "/api/v1/emails", {
      ...{ sent: message, ...accepted(id) },
      responseHeaders: { "x-service-monthly-remaining": String(remaining) },
    });
  const { subject: _, ...withoutSubject } = message;
  const long = "x".repeat(999);
  const invalid = (...names: string[]) =>
    error(422, "invalid_request", Object.fromEntries(names.map((name) => [name, ["No."]])));
  const names = (...fields: string[]) =>
    exchange("POST", contacts, {
      sent: { email: "ada@readers.example", list_id: 2, first_name: long, fields: { nope: "5" } },
      ...invalid(...fields),
    });
  const lookUpMessage = (time: string) =>
    exchange("GET", "/api/v1/emails/msg_late", { received: recordOf("msg_late", time), ...at(60_000, 20) });
  const batch = { emails: [message, { ...message, subject: long }] };

  it.each<[title: string, traffic: ObservedExchange[], ids: string[], options?: ObserverOptions]>([
    ["a delivery before its send", [lookUpMessage("2026-11-24T11:00:02Z")], ["LOOK-11"]],
    ["a delivery after its send", [lookUpMessage("2026-11-24T12:00:09Z")], []],
    [
      "an error that names only the first of two faults, also during another request about the contact",
      [
        { ...lookUp(), startedAt: start + 100_000, milliseconds: 90 },
        {
          ...exchange("POST", contacts, {
            sent: { email: "ada@readers.example", list_id: 2, first_name: long, last_name: long },
            ...invalid("first_name"),
          }),
          startedAt: start + 100_010,
        },
      ],
      ["ERR-10"],
    ],
    [
      "an error that names two faults of which the document has one",
      [names("first_name", "fields.nope")],
      [],
    ],
    [
      "an error that names only the first of two faults",
      [
        exchange("POST", "/api/v1/emails", {
          sent: { ...withoutSubject, tags: { a: long } },
          ...invalid("subject"),
        }),
      ],
      ["ERR-10"],
    ],
    [
      "an unsubscribe from a list of another account",
      [exchange("POST", `${ada}/unsubscribe`, { sent: { list_id: 11 }, received: record(membership(2)) })],
      ["UNSUB-12", "AUTH-2"],
      known,
    ],
    [
      "a list that no listing has, if nobody else makes lists",
      [
        exchange("GET", "/api/v1/newsletter/lists", {
          received: { lists: [{ id: 2, name: "News", double_opt_in: false }] },
        }),
        upsert(12),
      ],
      ["CONT-7"],
      all,
    ],
    [
      "a quota that falls after a rejected batch",
      [
        send("q1", 900),
        exchange("POST", "/api/v1/emails/batch", { sent: batch, ...invalid("emails.1.subject") }),
        send("q2", 897),
      ],
      ["HEAD-4", "LIMIT-5"],
      all,
    ],
  ])("%s", (_, traffic, ids, options) => {
    expect(failed(traffic, options)).toEqual(ids);
  });
});

test.each([
  ["another domain", "hello@bakery.example", { status: 202, received: accepted("msg_r").received }],
  ["its domain, which the record does not say", "hello@shop.bakery.example", error(403, "send_rejected")],
])("the key of a role in a record, read without its configuration, sends from %s", (_, from, response) => {
  const sent = exchange("POST", "/api/v1/emails", {
    ...ofKey("key-restricted"),
    ...response,
    sent: { ...message, from },
  });
  const typed = { ...sent, requestHeaders: { ...sent.requestHeaders, "content-type": "application/json" } };
  expect(failed([typed])).toEqual([]);
  const fixtures = { domains: { verified: "bakery.example" } };
  expect(failed([typed], { fixtures })).toEqual([]);
});

test("a response that is no JSON, repeated with its idempotency key, does not end the run", () => {
  const keyed = {
    authorization: "Bearer key_of_samples",
    "content-type": "application/json",
    "idempotency-key": "one",
  };
  const broken = {
    ...exchange("POST", "/api/v1/emails", {
      ...{ sent: message, requestHeaders: keyed, status: 202 },
      responseHeaders: { "idempotent-replayed": "true" },
    }),
    responseBody: "<html>",
  };
  const again = { ...broken, startedAt: (broken.startedAt ?? 0) + 100 };
  expect(failed([broken, again])).toContain("GEN-4");
});

test("what may depend on an order that the times do not show has that reason", () => {
  const sent = exchange("POST", "/api/v1/emails", { sent: message, ...accepted("whole_1") });
  const got = exchange("GET", "/api/v1/emails/whole_1", error(404, "not_found"));
  const startedAt = Date.parse("2026-11-24T12:00:00Z");
  const reasonsWith = (precision: number): Record<string, string | undefined> => {
    const traffic = [sent, got].map((one, index) => ({
      ...one,
      startedAt: startedAt + 50 * index,
      precision,
    }));
    const { requirements } = resultOfTraffic(observed(traffic));
    return Object.fromEntries(requirements.map(({ id, verdict, reason }) => [id, reason ?? verdict]));
  };
  expect(reasonsWith(0.001)["LOOK-1"]).toBe("fail");
  expect(reasonsWith(0.001)["CONT-1"]).toBe("Not seen in the traffic.");
  expect(reasonsWith(1000)["LOOK-1"]).toBe("Not seen in the traffic, or only at the same time as others.");
});
