import { expect, test } from "vitest";
import { errorResponse, invalidFields } from "../../../sandbox/api/error-response.ts";
import { createRecentRequests } from "../../../sandbox/api/recent.ts";

const store = { setting: () => "one" };

const request = (requestId: string, accountId: string | null = "bakery") => ({
  ...{ requestId, accountId, at: 1, method: "POST", path: "/api/v1/emails", status: 202 },
  ...{ error: null, accepted: '{"id":"msg_1"}' },
});

test("the last 200 requests of each kind are kept", () => {
  const recent = createRecentRequests(store);
  for (let index = 1; index <= 201; index += 1) recent.add(request(`req_${index}`));
  for (let index = 1; index <= 450; index += 1) recent.add(request(`bad_${index}`, null));
  expect([recent.find("req_1"), recent.find("req_2")?.requestId]).toEqual([undefined, "req_2"]);
  expect(recent.unmatched()).toHaveLength(200);
  expect([recent.unmatched()[0]?.requestId, recent.unmatched()[199]?.requestId]).toEqual([
    "bad_450",
    "bad_251",
  ]);
});

test("a request that failed with the store is found, and is none of those that match nothing", () => {
  const recent = createRecentRequests(store);
  recent.add({ ...request("req_1", null), status: 503 });
  expect([recent.find("req_1")?.status, recent.unmatched()]).toEqual([503, []]);
});

test("an error is kept with its message and its fields, without its headers", () => {
  const recent = createRecentRequests(store);
  recent.add({ ...request("req_1"), status: 422, error: invalidFields([["to", "Must be a list."]]) });
  recent.add({
    ...request("req_2"),
    status: 503,
    error: errorResponse("503", "Wait.", { "Retry-After": "1" }),
  });
  expect(recent.find("req_1")?.error).toEqual({
    id: "422.invalid_request",
    message: "The request is invalid: to.",
    fields: { to: ["Must be a list."] },
  });
  expect(recent.find("req_2")?.error).toEqual({ id: "503", message: "Wait.", fields: null });
});

test("the size of a request is limited", () => {
  const recent = createRecentRequests(store);
  const fields = Array.from(
    { length: 5000 },
    (_, index) => [`${index}${"x".repeat(8000)}`, "y".repeat(900)] as const,
  );
  recent.add({
    ...request("req_1"),
    path: `/${"p".repeat(16_000)}`,
    error: invalidFields(fields),
    accepted: `"${"i".repeat(20_000)}"`,
  });
  expect(JSON.stringify(recent.find("req_1")).length).toBeLessThan(12_000);
  expect(recent.find("req_1")?.accepted).toBeNull();
});
