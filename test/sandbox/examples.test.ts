import { describe, expect, test } from "vitest";
import { type OperationId, operations } from "../../generated/operations.ts";
import { exampleTime } from "../../sandbox/index.ts";
import { readBundle } from "../../scripts/document/read-bundle.ts";
import { type ExampleRequest, exampleRequests } from "../../scripts/document/requests.ts";
import { mail, type ReceivedResponse, startRig } from "./rig.ts";

const requests = exampleRequests(await readBundle());
const rowOf = (request: ExampleRequest) => operations[request.operationId as OperationId];

/** Sends an example to a fresh sandbox with the demo accounts whose clock starts at this time. */
async function send({ method, path, headers, body }: ExampleRequest, at: number): Promise<ReceivedResponse> {
  const { call } = await startRig({ clock: { startAt: at } });
  return call(method, path, body === undefined ? { headers } : { headers, body });
}

const isDocumented = (request: ExampleRequest, { status }: ReceivedResponse): boolean =>
  rowOf(request).success.some((key) => key === String(status) || (key === "2XX" && status < 300));

const start = Date.parse(exampleTime);

describe("a sandbox that starts at the time of the examples accepts", () => {
  test.for(
    requests.map(
      (request) => [`${request.operationId}: ${request.name ?? "without a body"}`, request] as const,
    ),
  )("%s", async ([, request]) => {
    const response = await send(request, start);
    expect({ ...response, isDocumented: isDocumented(request, response) }).toMatchObject({
      type: undefined,
      isDocumented: true,
    });
  });
});

test("every operation has a request", () => {
  expect([...new Set(requests.map(({ operationId }) => operationId))]).toEqual(Object.keys(operations));
});

test("at other times, only the examples that schedule a message are rejected", async () => {
  const day = 86_400_000;
  for (const at of [start - 30 * day, start + 60 * day]) {
    const responses = await Promise.all(requests.map((request) => send(request, at)));
    const rejected = requests.filter((_, index) => responses[index]?.status === 422);
    expect(rejected.map(({ operationId, name }) => `${operationId} ${name}`)).toEqual([
      "sendEmail all_fields",
      "sendEmail scheduled",
      "rescheduleEmail one_week_later",
    ]);
    expect(responses.filter(({ status }) => status >= 300)).toHaveLength(rejected.length);
  }
});

test("the message that an example names is found, and the outbox has only what requests sent", async () => {
  const { sandbox, get, post } = await startRig();
  expect(await sandbox.outbox.messages()).toEqual([]);
  expect((await get("/api/v1/emails/sched_01JD7Q9V5N3K8R")).body.status).toBe("scheduled");
  const { body } = await post("/api/v1/emails", mail());
  expect((await sandbox.outbox.messages()).map(({ id }) => id)).toEqual([body.id]);
});
