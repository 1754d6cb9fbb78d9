import { describe, expect, test } from "vitest";
import { errors } from "../../generated/errors.ts";
import { headers } from "../../generated/headers.ts";
import { idPrefixes } from "../../generated/ids.ts";
import { lifecycles, simulator } from "../../generated/lifecycles.ts";
import { limits } from "../../generated/limits.ts";
import document from "../../generated/openapi.json" with { type: "json" };
import { methodsByPath, operations } from "../../generated/operations.ts";
import { requirements, unspecified } from "../../generated/requirements.ts";

describe("operations", () => {
  test("every operation of the document is there, and no other", () => {
    const ids = Object.values(document.paths).flatMap((item) =>
      Object.values(item).flatMap((operation) => ("operationId" in operation ? [operation.operationId] : [])),
    );
    expect(Object.keys(operations).sort()).toEqual(ids.sort());
    expect(ids.length).toBeGreaterThan(0);
  });

  test("one row in full", () => {
    expect(operations.sendBatch).toEqual({
      id: "sendBatch",
      method: "POST",
      path: "/api/v1/emails/batch",
      tag: "Emails",
      product: "email",
      ability: "email:send",
      idempotent: true,
      pathParameters: [],
      queryParameters: [],
      success: ["2XX"],
      requestBody: "BatchRequest",
      errors: expect.arrayContaining([
        "401.unauthorized",
        "409.idempotency_conflict",
        "429.send_rejected",
        "503",
      ]),
    });
  });

  test("an ability that is not specified is null, and only that one", () => {
    const without = Object.values(operations).filter(({ ability }) => ability === null);
    expect(without.map(({ id }) => id)).toEqual(["getMe"]);
  });

  test("every operation needs the product of its tag, and only account operations need none", () => {
    const without = Object.values(operations).filter(({ product }) => product === null);
    expect(without.map(({ id }) => id)).toEqual(["getMe"]);
    expect(operations.getContact.product).toBe("newsletter");
  });

  test("exactly three operations take an idempotency key", () => {
    const idempotent = Object.values(operations).filter((operation) => operation.idempotent);
    expect(idempotent.map(({ id }) => id)).toEqual(["sendEmail", "sendBatch", "upsertContact"]);
  });

  test("path parameters and success", () => {
    expect(operations.unsubscribeContact.pathParameters).toEqual(["email"]);
    expect(operations.upsertContact.success).toEqual(["200", "201"]);
    expect(operations.cancelEmail.requestBody).toBeNull();
  });

  test("the methodsByPath name all their methods", () => {
    expect(methodsByPath["/api/v1/emails/{id}"]).toEqual(["GET", "PATCH", "DELETE"]);
    expect(Object.keys(methodsByPath)).toEqual(Object.keys(document.paths));
  });
});

test("response headers have the names that responses give them", () => {
  expect(Object.keys(headers)).toEqual(Object.keys(document.components.headers));
  expect(headers.ServiceRequestId).toEqual({ name: "X-Service-Request-Id", operations: null });
  expect(headers.MonthlyQuota).toEqual({
    name: "X-Service-Monthly-Quota",
    operations: ["sendEmail", "sendBatch"],
  });
});

test("what ids begin with is what their schema says", () => {
  expect(idPrefixes).toEqual({ ScheduledMessageId: "sched_" });
  expect(document.components.schemas.ScheduledMessageId.pattern).toBe("^sched_.*$");
});

describe("errors", () => {
  test("every row is there under its id", () => {
    expect(
      Object.values(errors)
        .map(({ id }) => id)
        .sort(),
    ).toEqual(document["x-errors"].map(({ id }) => id).sort());
    expect(errors["429.rate_limited"]).toMatchObject({ status: 429, type: "rate_limited", retry: "after" });
    expect(errors["500"].type).toBeNull();
  });

  test("gateway responses belong to no operation", () => {
    const gateway = Object.values(errors).filter((row) => row.operations.length === 0);
    expect(gateway.map(({ status }) => status)).toEqual([404, 405]);
  });
});

test("every limit of a specified size is a number, read from its schema where it stands there", () => {
  const rows = Object.entries(document["x-limits"]);
  const sized = rows.filter(([, row]) => "value" in row || "keyword" in row).map(([name]) => name);
  expect(Object.keys(limits)).toEqual(sized);
  expect(rows.length).toBeGreaterThan(sized.length);
  for (const [name, value] of Object.entries(limits)) expect(typeof value, name).toBe("number");
  expect(limits.subjectLength).toBe(document.components.schemas.Subject.maxLength);
  expect(limits.batchMessages).toBe(document.components.schemas.BatchRequest.properties.emails.maxItems);
  expect(limits.requestsPerMinute).toBe(document["x-limits"].requestsPerMinute.value);
});

describe("lifecycles", () => {
  test("the states are those of the schemas", () => {
    expect(lifecycles.message.states).toEqual(document.components.schemas.MessageStatus.enum);
    expect(lifecycles.membership.states).toEqual(document.components.schemas.MembershipStatus.enum);
  });

  test("every transition is there, between states that exist", () => {
    for (const [name, { states, transitions }] of Object.entries(lifecycles)) {
      const source = document["x-lifecycles"][name as keyof typeof lifecycles];
      expect(transitions).toHaveLength(source.transitions.length);
      for (const { from, to } of transitions) {
        for (const state of [...(from ?? []), ...(to === null ? [] : [to])])
          expect(states, name).toContain(state);
      }
    }
  });

  test("four simulated recipients", () => {
    const parts = simulator.recipients.map(({ localPart }) => localPart);
    expect(parts).toEqual(["success", "bounce", "complaint", "suppressionlist"]);
  });
});

test("every requirement and every unspecified item is there, with its topic", () => {
  const rows = Object.values(document["x-requirements"]).flat();
  expect(Object.keys(requirements)).toEqual(rows.map(({ id }) => id));
  expect(requirements["IDEM-1"].topic).toBe("idempotency");
  expect(Object.keys(unspecified)).toEqual(document["x-unspecified"].map(({ id }) => id));
});
