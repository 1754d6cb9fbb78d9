import { describe, expect, it } from "vitest";
import { Observer } from "../../contract/observe/observer.ts";
import type { ObservedExchange } from "../../contract/observe/subjects.ts";
import { accepted, error, exchange, failuresOf, message, observed, withAll } from "./samples.ts";

const path = "/api/v1/emails";
const keyed = (idempotencyKey: string) => ({
  requestHeaders: {
    authorization: "Bearer key_of_samples",
    "content-type": "application/json",
    "idempotency-key": idempotencyKey,
  },
});
const send = (id: string, changes: Parameters<typeof exchange>[2] = {}): ObservedExchange =>
  exchange("POST", path, { sent: message, ...accepted(id), ...changes });
const failed = (...traffic: ObservedExchange[]): string[] => [...observed(traffic).tally.failed];

describe("exchanges are compared with earlier ones", () => {
  it("a repeated request with its idempotency key that is not replayed fails", () => {
    expect(failed(send("msg_3", keyed("one")), send("msg_4", keyed("one")))).toContain("IDEM-1");
  });

  it("another body with a used idempotency key that is accepted fails", () => {
    const other = send("msg_6", { sent: { ...message, subject: "Another" }, ...keyed("two") });
    expect(failed(send("msg_5", keyed("two")), other)).toContain("IDEM-2");
  });

  it("a replay of a request that the record does not have is no failure", () => {
    const replay = send("msg_7", keyed("three"));
    replay.responseHeaders["idempotent-replayed"] = "true";
    expect(failed(replay)).toEqual([]);
  });

  it("what an empty idempotency key leads to is unspecified", () => {
    expect(failed(send("msg_12", keyed("")), send("msg_13", keyed("")))).toEqual([]);
  });

  it("a key of the configuration that is rejected fails, unless its scheme is written in another way", () => {
    const rejected = (scheme: string): string[] => {
      const requestHeaders = { authorization: `${scheme} ${withAll.keys?.full}` };
      const one = exchange("GET", "/api/v1/newsletter/lists", {
        ...error(401, "unauthorized"),
        requestHeaders,
      });
      return [...observed([one], withAll).tally.failed];
    };
    expect(rejected("Bearer")).toContain("LIST-1");
    expect(rejected("bearer")).toEqual([]);
  });

  it("an error may name an empty list of recipients beside what is invalid", () => {
    const rejected = error(422, "invalid_request", { "emails.0.to": ["No."], "emails.0.subject": ["No."] });
    const { subject: _, ...rest } = message;
    const sent = { emails: [{ ...rest, to: [] }] };
    expect(failed(exchange("POST", `${path}/batch`, { sent, ...rejected }))).toEqual([]);
  });

  it("an unsubscribe without any body may be rejected", () => {
    const unsubscribe = "/api/v1/newsletter/contacts/ada%40readers.example/unsubscribe";
    const rejected = error(422, "invalid_request", { body: ["Must be a JSON object."] });
    expect(failed(exchange("POST", unsubscribe, rejected))).toEqual([]);
  });

  it.each([
    ["rejected", error(422, "invalid_request")],
    ["accepted", accepted("msg_14")],
  ])("a message with another content type may be %s", (_, received) => {
    const requestHeaders = { authorization: "Bearer key_of_samples", "content-type": "text/plain" };
    expect(failed(exchange("POST", path, { sent: message, ...received, requestHeaders }))).toEqual([]);
  });

  it("a message that was accepted and is not found fails, one that was never seen does not", () => {
    expect(failed(send("msg_8"), exchange("GET", `${path}/msg_8`, error(404, "not_found")))).toContain(
      "LOOK-1",
    );
    expect(failed(exchange("GET", `${path}/msg_9`, error(404, "not_found")))).toEqual([]);
  });

  it("requests in progress at the same time have no verdict together", () => {
    const sent = send("msg_10", keyed("four"));
    const traffic = [sent, { ...send("msg_11", keyed("four")), startedAt: (sent.startedAt ?? 0) + 10 }];
    expect(failed(...traffic)).toEqual([]);
    expect(observed(traffic).counts.concurrent).toBe(2);
  });

  it("an accepted invalid request fails, whatever is in progress at the same time", () => {
    const moved = { scheduled_at: "2026-12-01T09:00:00" };
    const received = { id: "sched_1", status: "scheduled", scheduled_at: "2026-12-01T09:00:00.000Z" };
    const one = exchange("PATCH", `${path}/sched_1`, { sent: moved, received });
    const traffic = [exchange("GET", `${path}/sched_1`, error(404, "not_found")), one];
    const crowded = traffic.map((each) => ({ ...each, startedAt: one.startedAt }));
    expect(failed(...crowded)).toEqual(["GEN-6", "SCHED-8"]);
  });

  it.each([
    ["one", 1, []],
    ["two", 2, ["HEAD-4", "LIMIT-5"]],
  ])("after 300 sends, a send that takes %s from the quota", (_, taken, ids) => {
    const sendWith = (index: number, remaining: number) =>
      send(`msg_quota_${index}`, {
        responseHeaders: {
          "x-ratelimit-remaining": String(1000 - index),
          "x-service-monthly-remaining": String(remaining),
        },
      });
    const sends = Array.from({ length: 300 }, (_, index) => sendWith(index, 900 - index));
    const options = { keys: { full: "key_of_samples" }, fixtures: {}, isAllTraffic: true };
    const traffic = [...sends, sendWith(300, 900 - 299 - taken)];
    expect([...observed(traffic, options).tally.failed]).toEqual(ids);
  });

  it("a key that the configuration does not have may see its lists: it may have the same account", () => {
    const lists = [
      { id: 2, name: "News", double_opt_in: false },
      { id: 1, name: "Offers", double_opt_in: true },
    ];
    const listed = (key: string) =>
      exchange("GET", "/api/v1/newsletter/lists", {
        requestHeaders: { authorization: `Bearer ${key}` },
        received: { lists },
      });
    const fixtures = { lists: { plain: 2, doubleOptIn: 1 } };
    const ofConfiguration = { fixtures, keys: { full: "key_of_full", otherAccount: "key_of_other" } };
    const idsWith = (key: string) => [...observed([listed(key)], ofConfiguration).tally.failed];
    expect(idsWith("key_of_another_application")).toEqual([]);
    expect(idsWith("key_of_other")).toEqual(["AUTH-2"]);
    expect([...observed([listed("key_of_another_application")], { fixtures }).tally.failed]).toEqual([]);
  });

  it("a server that was started again may use the ids of requests again", () => {
    const [first, second] = [exchange("GET", "/api/v1/me"), exchange("GET", "/api/v1/me")];
    const again = { ...second, responseHeaders: first.responseHeaders };
    const observer = new Observer();
    observer.add(first);
    observer.forget();
    observer.add(again);
    observer.end();
    expect(failuresOf(observer)).toEqual([]);
    expect(failed(first, again)).toEqual(["HEAD-2"]);
  });

  it.each([
    [3, ["LIMIT-1"]],
    [0, []],
  ])("a request is rejected after a response with %i remaining requests", (remaining, ids) => {
    const last = exchange("GET", "/api/v1/me", {
      responseHeaders: { "x-ratelimit-remaining": String(remaining) },
    });
    const limited = error(429, "rate_limited");
    const rejected = exchange("GET", "/api/v1/me", { ...limited, responseHeaders: { "retry-after": "9" } });
    const traffic = [last, { ...rejected, startedAt: (last.startedAt ?? 0) + 100 }];
    const options = { keys: { full: "key_of_samples" }, fixtures: {}, isAllTraffic: true };
    expect([...observed(traffic, options).tally.failed]).toEqual(ids);
    expect(failed(...traffic)).toEqual([]);
  });

  it("the same exchange in two records counts once", () => {
    const one = send("msg_12");
    expect(failed(one, one)).toEqual([]);
  });
});

describe("invalid requests are told from invalid responses", () => {
  it("a rejected invalid request is no failure", () => {
    const { to: _, ...sent } = message;
    const rejected = error(422, "invalid_request", { to: ["Missing."] });
    expect(failed(exchange("POST", path, { sent, ...rejected }))).toEqual([]);
  });

  it("an accepted invalid request fails the requirement on what is invalid", () => {
    const sent = { ...message, subject: "a".repeat(999) };
    expect(failed(send("msg_1", { sent }))).toContain("SEND-9");
  });

  it.each(["not an address", "mail.example.com"])("an accepted sender %j fails", (from) => {
    expect(failed(send("msg_1", { sent: { ...message, from } }))).toContain("SEND-3");
  });

  it.each([
    ["getMe", "/api/v1/me", ["ME-1"]],
    ["listNewsletterLists", "/api/v1/newsletter/lists", ["LIST-1"]],
  ])("a server without %s fails, with a key and without one", (_, url, ids) => {
    const missing = exchange("GET", url, error(404, "not_found"));
    expect(failed(missing)).toEqual(ids);
    const withoutKey = { ...exchange("GET", url, error(404, "not_found")), requestHeaders: {} };
    expect(failed(missing, withoutKey)).toEqual([...ids, "AUTH-12"]);
  });

  it.each([
    [403, "send_rejected", "from", []],
    [403, "send_rejected", "to", ["SEND-4", "AUTH-17"]],
    [422, "send_rejected", "to", []],
    [422, "send_rejected", "subject", ["ERR-11", "SEND-36"]],
    [401, "unauthorized", "from", ["AUTH-12", "AUTH-13"]],
  ])("%i %s whose error.fields names %s", (status, type, name, ids) => {
    expect(failed(send("", error(status, type, { [name]: ["No."] })))).toEqual(ids);
    const batch = { sent: { emails: [message] }, ...error(status, type, { [`emails.0.${name}`]: ["No."] }) };
    expect(failed(exchange("POST", `${path}/batch`, batch))).toEqual(ids);
  });

  it("an error without texts in error.fields fails", () => {
    const sent = { ...message, subject: "a".repeat(999) };
    expect(failed(send("", { sent, ...error(422, "invalid_request", { subject: [] }) }))).toEqual(["ERR-4"]);
  });

  it("an invalid header fails the requirement on the header, not all that its value shows", () => {
    const one = exchange("GET", "/api/v1/newsletter/fields", { received: { fields: [] } });
    one.responseHeaders["x-ratelimit-limit"] = "many";
    expect(failed(one)).toEqual(["HEAD-6"]);
  });

  it("a response to HEAD has no body", () => {
    const head = exchange("HEAD", "/api/v1/me", { status: 405, responseHeaders: { allow: "GET" } });
    expect(failed({ ...head, responseBody: "" })).toEqual([]);
  });

  it("an accepted request without a key fails", () => {
    const requestHeaders = { "content-type": "application/json" };
    const without = send("msg_2", { requestHeaders });
    expect(failed(send("msg_1"), without)).toContain("AUTH-12");
    // A record from which all keys were removed says nothing about requests without one.
    expect(failed(without)).not.toContain("AUTH-12");
  });

  it("a response of a gateway, or none, is not the server's", () => {
    const none = { status: 0, received: undefined, responseHeaders: {} };
    const traffic = [
      exchange("POST", path, { sent: message, status: 502, received: undefined }),
      exchange("POST", path, { sent: message, ...none }),
    ];
    expect(failuresOf(observed(traffic))).toEqual([]);
    expect(observed(traffic).counts.unanswered).toBe(2);
  });
});
