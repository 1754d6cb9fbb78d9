import { expect, test } from "vitest";
import { AssertionFailure } from "../../contract/engine/assert.ts";
import { causeOf } from "../../contract/engine/cause.ts";
import type { Exchange } from "../../contract/exchange.ts";
import { checkResponse } from "../../contract/response-checks/check-response.ts";
import { faultsIn } from "../../contract/response-checks/faults.ts";
import { jsonOf } from "../../lib/objects.ts";

const id = { "x-service-request-id": "req_1" };

function responseTo(
  operation: "getEmail" | "sendEmail",
  status: number,
  text: string,
  headers = id,
): Exchange {
  const request = {
    getEmail: { operation, method: "GET", path: "/api/v1/emails/msg_1" },
    sendEmail: { operation, method: "POST", path: "/api/v1/emails", body: {} },
  }[operation];
  const sent = { headers: { "content-type": "application/json" }, text: "{}" };
  const received = { "content-type": "application/json", ...headers };
  return {
    request,
    sent,
    status,
    headers: received,
    text,
    json: jsonOf(text),
    startedAt: 0,
    milliseconds: 1,
  };
}

/** What is found by requirement, and why. */
function foundIn(exchange: Exchange): Map<string, [found: string, cause: string | undefined]> {
  const { findings } = checkResponse(exchange, new Set() as never);
  return new Map(
    findings.flatMap(({ ids, failure }) =>
      failure ? [[String(ids[0]), [failure.found, failure.fault?.cause]] as const] : [],
    ),
  );
}

const error = (type: string): string =>
  JSON.stringify({ error: { type, message: "No.", request_id: "req_1" } });

test("a success without a body has no body, and is not called one that is not JSON", () => {
  const found = foundIn(responseTo("sendEmail", 202, ""));
  expect(found.get("GEN-4")).toEqual(["no body", "Responses lack the body that the document describes"]);
});

test("a body that is not JSON has one cause, in another encoding, too", () => {
  for (const json of [undefined, { ...responseTo("getEmail", 200, "{'id': 1}"), text: `{"id":1}` }]) {
    const exchange = { ...responseTo("getEmail", 200, "{'id': 1}"), ...json };
    const found = [...foundIn(exchange).values()].filter(([one]) => one !== "no such header");
    const what = json === undefined ? "a body that is not JSON" : "a body that is not valid UTF-8";
    expect(found).toEqual(Array(found.length).fill([what, "Bodies are not JSON"]));
    expect(found.length).toBeGreaterThan(1);
  }
});

test("JSON that is encoded twice is named, in errors, too", () => {
  const what = "the body is a string that holds JSON: it is encoded twice";
  const both = [what, "Bodies are encoded as JSON twice"];
  expect(foundIn(responseTo("getEmail", 200, JSON.stringify(`{"id":1}`))).get("LOOK-1")).toEqual(both);
  expect(foundIn(responseTo("getEmail", 404, JSON.stringify(error("not_found")))).get("ERR-1")).toEqual(both);
  expect(foundIn(responseTo("getEmail", 200, `"hello"`)).get("LOOK-1")?.[0]).not.toContain("encoded twice");
});

test("a header that is sent twice is no other id", () => {
  const twice = { "x-service-request-id": "req_1, req_1" };
  const [, cause] = foundIn(responseTo("getEmail", 404, error("not_found"), twice)).get("ERR-5") ?? [];
  expect(cause).toBe("The header x-service-request-id is sent twice");
});

test("a status that does not belong to its error type is found with it", () => {
  const [found] = foundIn(responseTo("sendEmail", 422, error("unauthorized"))).get("SEND-37") ?? [];
  expect(found).toBe("status 422 with error.type unauthorized");
});

test("a success in place of an error is not explained by its body", () => {
  const exchange = responseTo("getEmail", 200, "null");
  exchange.faults = faultsIn(checkResponse(exchange, null).findings);
  const causeWith = (expected: string) =>
    causeOf(new AssertionFailure(exchange, { expected, found: "status 200" }), ["LOOK-23"], [exchange]);
  expect(causeWith("404 not_found")).toBeUndefined();
  expect(causeWith("an id")).toBe("The body must be object");
});
