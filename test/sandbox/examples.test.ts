import { describe, expect, test } from "vitest";
import { type OperationId, operations } from "../../generated/operations.ts";
import { exampleTime } from "../../sandbox/index.ts";
import { operationsOf } from "../../scripts/document/operations.ts";
import { readBundle } from "../../scripts/document/read-bundle.ts";
import { dereference } from "../../scripts/document/references.ts";
import type { Example } from "../../scripts/document/types.ts";
import { mail, type ReceivedResponse, startRig } from "./rig.ts";

/** A request with the examples of the parameters, and one of the body. */
interface ExampleRequest {
  operation: OperationId;
  name: string;
  path: string;
  headers: Record<string, string>;
  body?: unknown;
}

const document = await readBundle();

/** Every request that the examples of the document make: one for each example of a body. */
const requests = operationsOf(document).flatMap(({ id, path, parameters, operation }): ExampleRequest[] => {
  const examples = (place: string): [string, string][] =>
    parameters.filter((one) => one.in === place).map(({ name, example }) => [name, String(example)]);
  const filled = examples("path").reduce(
    (text, [name, value]) => text.replace(`{${name}}`, encodeURIComponent(value)),
    path,
  );
  const query = new URLSearchParams(examples("query")).toString();
  const request = {
    operation: id as OperationId,
    name: "without a body",
    path: query === "" ? filled : `${filled}?${query}`,
    headers: Object.fromEntries(examples("header")),
  };
  const bodies = Object.entries(operation.requestBody?.content["application/json"]?.examples ?? {});
  if (bodies.length === 0) return [request];
  return bodies.map(([name, reference]) => ({
    ...request,
    name,
    body: dereference<Example>(document, reference).value,
  }));
});

/** Sends an example to a fresh sandbox with the demo accounts whose clock starts at this time. */
async function send(
  { operation, path, headers, body }: ExampleRequest,
  at: number,
): Promise<ReceivedResponse> {
  const { call } = await startRig({ clock: { startAt: at } });
  return call(operations[operation].method, path, body === undefined ? { headers } : { headers, body });
}

const isDocumented = ({ operation }: ExampleRequest, { status }: ReceivedResponse): boolean =>
  operations[operation].success.some((key) => key === String(status) || (key === "2XX" && status < 300));

const start = Date.parse(exampleTime);

describe("a sandbox that starts at the time of the examples accepts", () => {
  test.for(requests.map((request) => [`${request.operation}: ${request.name}`, request] as const))(
    "%s",
    async ([, request]) => {
      const response = await send(request, start);
      expect({ ...response, isDocumented: isDocumented(request, response) }).toMatchObject({
        type: undefined,
        isDocumented: true,
      });
    },
  );
});

test("every operation has a request", () => {
  expect([...new Set(requests.map(({ operation }) => operation))]).toEqual(Object.keys(operations));
});

test("at other times, only the examples that schedule a message are rejected", async () => {
  const day = 86_400_000;
  for (const at of [start - 30 * day, start + 60 * day]) {
    const responses = await Promise.all(requests.map((request) => send(request, at)));
    const rejected = requests.filter((_, index) => responses[index]?.status === 422);
    expect(rejected.map(({ operation, name }) => `${operation} ${name}`)).toEqual([
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
