import { expect, test } from "vitest";
import { exampleTime } from "../../sandbox/index.ts";
import { readBundle } from "../../scripts/document/read-bundle.ts";
import { type ExampleRequest, exampleRequests } from "../../scripts/document/requests.ts";
import { mail, startRig } from "./rig.ts";

const requests = exampleRequests(await readBundle());
const nameOf = ({ operationId, name }: ExampleRequest) => `${operationId}: ${name ?? "without a body"}`;

/** Sends an example to a fresh sandbox with the demo accounts whose clock starts at this time. The rig checks the response. */
async function send({ method, path, headers, body }: ExampleRequest, at: number): Promise<number> {
  const { call } = await startRig({ clock: { startAt: at } });
  return (await call(method, path, body === undefined ? { headers } : { headers, body })).status;
}

const start = Date.parse(exampleTime);

test.for(requests)(
  "a sandbox that starts at the time of the examples accepts $operationId $name",
  async (request) => {
    expect(await send(request, start)).toBeLessThan(300);
  },
);

test("at other times, only the examples that schedule a message are rejected", async () => {
  const day = 86_400_000;
  for (const at of [start - 30 * day, start + 60 * day]) {
    const statuses = await Promise.all(requests.map((request) => send(request, at)));
    const rejected = requests.filter((_, index) => statuses[index] === 422);
    expect(rejected.map(nameOf)).toEqual([
      "sendEmail: all_fields",
      "sendEmail: scheduled",
      "rescheduleEmail: one_week_later",
    ]);
    expect(statuses.filter((status) => status >= 300)).toHaveLength(rejected.length);
  }
});

test("the message that an example names is found, and the outbox has only what requests sent", async () => {
  const { sandbox, get, post } = await startRig();
  expect((await get("/api/v1/emails/sched_01JD7Q9V5N3K8R")).body.status).toBe("scheduled");
  const { body } = await post("/api/v1/emails", mail());
  expect((await sandbox.outbox.messages()).map(({ id }) => id)).toEqual([body.id]);
});
