import { describe, expect, it } from "vitest";
import type { ObservedExchange } from "../../contract/observe/subjects.ts";
import { accepted, error, exchange, failuresOf, message, observed } from "./samples.ts";

const path = "/api/v1/emails";
const failed = (...traffic: ObservedExchange[]): string[] => [...observed(traffic).tally.failed];

describe("invalid requests are told from invalid responses", () => {
  it("a rejected invalid request is no failure", () => {
    const response = {
      status: 422,
      received: {
        error: {
          type: "invalid_request",
          message: "No.",
          fields: { to: ["Missing."] },
          request_id: "REQUEST_ID",
        },
      },
    };
    const { to: _, ...sent } = message;
    expect(failed(exchange("POST", path, { sent, ...response }))).toEqual([]);
  });

  it("an accepted invalid request fails the requirement on what is invalid", () => {
    const sent = { ...message, subject: "a".repeat(999) };
    expect(failed(exchange("POST", path, { sent, ...accepted("msg_1") }))).toContain("SEND-9");
  });

  it.each(["not an address", "mail.example.com"])("an accepted sender %j fails", (from) => {
    expect(failed(exchange("POST", path, { sent: { ...message, from }, ...accepted("msg_1") }))).toContain(
      "SEND-3",
    );
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
    const fields = { [name]: ["No."] };
    const received = { error: { type, message: "No.", fields, request_id: "REQUEST_ID" } };
    expect(failed(exchange("POST", path, { sent: message, status, received }))).toEqual(ids);
    const batch = { error: { ...received.error, fields: { [`emails.0.${name}`]: ["No."] } } };
    const sent = { emails: [message] };
    expect(failed(exchange("POST", `${path}/batch`, { sent, status, received: batch }))).toEqual(ids);
  });

  it("an error without texts in error.fields fails", () => {
    const fields = { subject: [] };
    const received = { error: { type: "invalid_request", message: "No.", fields, request_id: "REQUEST_ID" } };
    const sent = { ...message, subject: "a".repeat(999) };
    expect(failed(exchange("POST", path, { sent, status: 422, received }))).toEqual(["ERR-4"]);
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
    const withKey = exchange("POST", path, { sent: message, ...accepted("msg_1") });
    const without = exchange("POST", path, { sent: message, ...accepted("msg_2"), requestHeaders });
    expect(failed(withKey, without)).toContain("AUTH-12");
  });

  it("a record from which all keys were removed says nothing about requests without one", () => {
    const requestHeaders = { "content-type": "application/json" };
    const without = exchange("POST", path, { sent: message, ...accepted("msg_2"), requestHeaders });
    expect(failed(without)).not.toContain("AUTH-12");
  });

  it("a response of a gateway, or none, is not the server's", () => {
    const none = { status: 0, received: undefined, responseHeaders: {} };
    const traffic = [
      exchange("POST", path, { sent: message, status: 502, received: undefined }),
      exchange("POST", path, { sent: message, ...none }),
    ];
    expect(failuresOf(observed(traffic))).toEqual([]);
    expect(observed(traffic).unanswered).toBe(2);
  });
});
