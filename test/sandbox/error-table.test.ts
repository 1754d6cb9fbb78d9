import { expect, test } from "vitest";
import { type ErrorId, errors } from "../../generated/errors.ts";
import { limits } from "../../generated/limits.ts";
import {
  type OperationId,
  type OperationRow,
  type OperationWithInput,
  operations,
} from "../../generated/operations.ts";
import { make, type OperationRequest, scheduled, validRequest } from "./responses.ts";
import { keys, mail, minute, type ReceivedResponse, type Rig, startRig } from "./rig.ts";

/** The operations of an error. */
type OperationIn<Id extends ErrorId> = (typeof errors)[Id]["operations"][number];

type Provoke = (rig: Rig, operation: OperationId) => Promise<ReceivedResponse>;

/** Makes the good call of an operation with another key. */
const withKey =
  (key: string | null): Provoke =>
  async (rig, operation) =>
    make(rig, await validRequest(rig, operation), { key });

/** Makes it with a body of a send that differs, in a batch as its second message. */
const sending =
  (change: Record<string, unknown>, key?: string): Provoke =>
  async (rig, operation) => {
    const body = operation === "sendBatch" ? { emails: [mail(), mail(change)] } : mail(change);
    return make(rig, { ...(await validRequest(rig, operation)), body }, key === undefined ? {} : { key });
  };

/** The bodies that make the requests with input invalid. */
const broken: Record<Extract<OperationIn<"422.invalid_request">, OperationWithInput>, { body: unknown }> = {
  sendEmail: { body: mail({ subject: 7 }) },
  sendBatch: { body: { emails: [mail(), mail({ subject: 7 })] } },
  rescheduleEmail: { body: { scheduled_at: "tomorrow" } },
  upsertContact: { body: { email: "new@readers.example" } },
  unsubscribeContact: { body: { list_id: "one" } },
};

/** Without a body, a query parameter is invalid: it is too long. */
function invalid(operation: OperationId, request: OperationRequest): OperationRequest {
  if (operation in broken) return { ...request, ...broken[operation as keyof typeof broken] };
  const { queryParameters }: OperationRow = operations[operation];
  return { ...request, path: `${request.path}?${queryParameters[0]}=${"9".repeat(5000)}` };
}

const missing: Record<OperationIn<"404.not_found">, Partial<OperationRequest>> = {
  getEmail: { path: "/api/v1/emails/msg_never" },
  rescheduleEmail: { path: "/api/v1/emails/sched_never" },
  cancelEmail: { path: "/api/v1/emails/sched_never" },
  upsertContact: { body: { email: "new@readers.example", list_id: 999 } },
  getContact: { path: "/api/v1/newsletter/contacts/never%40readers.example" },
  unsubscribeContact: { path: "/api/v1/newsletter/contacts/never%40readers.example/unsubscribe" },
};

const failing =
  (status: 500 | 502 | 503): Provoke =>
  async (rig, operation) => {
    const call = await validRequest(rig, operation);
    await rig.sandbox.failures.add({ kind: "status", status, body: true }, 1);
    return make(rig, call);
  };

/** Lets a message go out, then makes the call that comes too late. */
const tooLate: Provoke = async (rig, operation) => {
  const call = await validRequest(rig, operation);
  await rig.sandbox.clock.advance(2 * 60 * minute);
  const body = call.body === undefined ? {} : { body: { scheduled_at: "2026-03-11T09:00:00Z" } };
  return make(rig, { ...call, ...body });
};

const ways: Record<Exclude<ErrorId, "404.not_found.path" | "405.method_not_allowed">, Provoke> = {
  "401.unauthorized": withKey(null),
  "402.no_plan": async (rig, operation) => {
    const isEmail = operations[operation].tag === "Emails";
    return withKey(isEmail ? keys.noEmail : keys.noNewsletter)(rig, operation);
  },
  "403.forbidden": async (rig, operation) => {
    const lacks = operations[operation].ability === "email:send" ? keys.read : keys.send;
    return withKey(lacks)(rig, operation);
  },
  "403.send_rejected": sending({ from: "ada@elsewhere.example" }),
  "404.not_found": async (rig, operation) =>
    make(rig, { ...(await validRequest(rig, operation)), ...missing[operation as keyof typeof missing] }),
  "409.send_rejected": sending({ from: "ada@unverified.bakery.example" }),
  "409.idempotency_conflict": async (rig, operation) => {
    const call = await validRequest(rig, operation);
    const headers = { "idempotency-key": "one" };
    await make(rig, call, { headers });
    const body = { ...(call.body as object), tags: operation === "upsertContact" ? ["b"] : { a: "b" } };
    return make(rig, { ...call, body: operation === "sendBatch" ? { emails: [mail()] } : body }, { headers });
  },
  "409.not_cancellable": tooLate,
  "409.not_reschedulable": tooLate,
  "413.send_rejected": sending({ text: "x".repeat(limits.messageSize * 1024 * 1024) }),
  "422.invalid_request": async (rig, operation) =>
    make(rig, invalid(operation, await validRequest(rig, operation))),
  "422.send_rejected": sending({ to: ["gone@readers.example"] }),
  "429.rate_limited": async (rig, operation) => {
    const call = await validRequest(rig, operation);
    for (let count = 0; count < limits.requestsPerMinute; count += 1)
      await rig.sandbox.fetch("/api/v1/me", bearer);
    return make(rig, call);
  },
  "429.send_rejected": sending({ from: "ada@cinema.example" }, keys.ceiling),
  "500": failing(500),
  "502": failing(502),
  "503": failing(503),
};

const bearer = { headers: { authorization: `Bearer ${keys.all}` } };

const rows = Object.values(errors).flatMap((row) =>
  row.operations.map((operation) => [row.id, operation] as const),
);

test.each(rows)("%s on %s", async (id, operation) => {
  const rig = await startRig();
  // A batch is sent whole by one account, so that every message of it is of that account.
  const provoke = ways[id as keyof typeof ways];
  const response =
    id === "429.send_rejected" && operation === "sendBatch"
      ? await rig.post(
          "/api/v1/emails/batch",
          { emails: [mail({ from: "ada@cinema.example" })] },
          { key: keys.ceiling },
        )
      : await provoke(rig, operation);
  const row = errors[id];
  expect([response.status, response.type]).toEqual([row.status, row.type ?? "unspecified"]);
});

test("404 and 405 come before any operation is reached, and before a key is asked for", async () => {
  const { call } = await startRig();
  for (const path of [
    "/api/v1",
    "/api/v1/",
    "/api/v1/nothing",
    "/api/v1/emails/",
    "/api/v1/emails/a/b",
    "/api/v2/me",
  ]) {
    expect((await call("GET", path, { key: null })).type, path).toBe("not_found");
  }
  const wrong = await call("PUT", "/api/v1/emails/sched_1", { key: null });
  expect([wrong.status, wrong.type, wrong.headers.allow]).toEqual([
    405,
    "method_not_allowed",
    "GET, PATCH, DELETE",
  ]);
});

test("a message that cannot be sent keeps the others of its batch from being sent", async () => {
  const rig = await startRig();
  for (const id of ["403.send_rejected", "409.send_rejected", "422.send_rejected"] as const) {
    await ways[id](rig, "sendBatch");
  }
  expect(await rig.sandbox.store.messages({ limit: 10 })).toEqual([]);
  expect(await scheduled(rig)).toMatch(/^sched_/);
});
