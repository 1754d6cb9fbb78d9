import { describe, expect, test } from "vitest";
import { scheduled } from "./requests.ts";
import { hour, mail, type Rig, start, startRig, time } from "./rig.ts";

const later = { scheduled_at: time(start + 5 * hour) };

/** Brings a message into a state, and tells its id. */
const ways: Record<string, (rig: Rig) => Promise<string>> = {
  scheduled: (rig) => scheduled(rig),
  canceled: async (rig) => {
    const id = await scheduled(rig);
    await rig.call("DELETE", `/api/v1/emails/${id}`);
    return id;
  },
  sent: async (rig) => (await rig.post("/api/v1/emails", mail())).body.id,
  delivered: (rig) => sendAndWait(rig, "ada@customers.example"),
  bounced: (rig) => sendAndWait(rig, "bounce@simulator.example"),
  complained: (rig) => sendAndWait(rig, "complaint@simulator.example"),
};

async function sendAndWait(rig: Rig, to: string): Promise<string> {
  const { body } = await rig.post("/api/v1/emails", mail({ to: [to] }));
  await rig.sandbox.clock.advance(60_000);
  return body.id;
}

describe.each(Object.keys(ways))("a message that is %s", (status) => {
  test("has this status when it is read back", async () => {
    const rig = await startRig();
    const id = await ways[status]?.(rig);
    expect((await rig.get(`/api/v1/emails/${id}`)).body.status).toBe(status);
  });

  test("is rescheduled only while it waits, and otherwise left as it was", async () => {
    const rig = await startRig();
    const path = `/api/v1/emails/${await ways[status]?.(rig)}`;
    const before = (await rig.get(path)).body;
    const response = await rig.call("PATCH", path, { body: later });
    const after = (await rig.get(path)).body;
    if (status === "scheduled") {
      expect(response.body).toMatchObject({
        id: before.id,
        status: "scheduled",
        scheduled_at: later.scheduled_at,
      });
      expect(after).toEqual({ ...before, scheduled_at: later.scheduled_at });
    } else {
      expect([response.status, response.type]).toEqual([409, "not_reschedulable"]);
      expect(after).toEqual(before);
    }
  });

  test("is canceled only while it waits, and otherwise left as it was", async () => {
    const rig = await startRig();
    const path = `/api/v1/emails/${await ways[status]?.(rig)}`;
    const before = (await rig.get(path)).body;
    const response = await rig.call("DELETE", path);
    const after = (await rig.get(path)).body;
    if (status === "scheduled") {
      expect(response.body).toEqual({ id: before.id, status: "canceled" });
      expect(after).toEqual({ ...before, status: "canceled", status_description: after.status_description });
    } else {
      expect([response.status, response.type]).toEqual([409, "not_cancellable"]);
      expect(after).toEqual(before);
    }
  });
});

test("a scheduled message goes out at its time, once, and keeps its id", async () => {
  const rig = await startRig();
  const path = `/api/v1/emails/${await scheduled(rig)}`;
  await rig.call("PATCH", path, { body: later });
  await rig.sandbox.clock.advance(5 * hour - 1);
  expect((await rig.get(path)).body.status).toBe("scheduled");
  await rig.sandbox.clock.advance(1);
  const sent = (await rig.get(path)).body;
  expect(sent).toMatchObject({
    status: "sent",
    sent_at: later.scheduled_at,
    scheduled_at: later.scheduled_at,
  });
  await rig.sandbox.clock.advance(hour);
  const delivered = (await rig.get(path)).body;
  expect(delivered.status).toBe("delivered");
  expect(delivered.events.map(({ type }: { type: string }) => type)).toEqual(["sent", "delivered"]);
});

test("a canceled message never goes out", async () => {
  const rig = await startRig();
  const id = await ways.canceled?.(rig);
  await rig.sandbox.clock.advance(2 * hour);
  expect((await rig.get(`/api/v1/emails/${id}`)).body).toMatchObject({ status: "canceled", sent_at: null });
});

test("a bounce tells what happened, and its event says the same", async () => {
  const rig = await startRig();
  const { body } = await rig.get(`/api/v1/emails/${await ways.bounced?.(rig)}`);
  expect(body.bounce.permanent).toBe(true);
  expect(body.events.at(-1)).toMatchObject({
    type: "bounced",
    detail: body.bounce.diagnostic,
    at: body.bounced_at,
  });
});

test.each([
  ["success", "delivered"],
  ["bounce", "bounced"],
  ["complaint", "complained"],
  ["suppressionlist", "bounced"],
  ["SUCCESS", "delivered"],
])("mail to %s at the simulator domain ends as %s, and can be sent again", async (local, status) => {
  const rig = await startRig();
  for (let count = 0; count < 2; count += 1) {
    const id = await sendAndWait(rig, `${local}@simulator.example`);
    expect((await rig.get(`/api/v1/emails/${id}`)).body.status).toBe(status);
  }
});

test("the worst that happens to a recipient is what happens to the message", async () => {
  const rig = await startRig();
  const message = mail({ to: ["success@simulator.example"], cc: ["complaint@simulator.example"] });
  const complained = (await rig.post("/api/v1/emails", message)).body.id;
  const bounced = (await rig.post("/api/v1/emails", { ...message, bcc: ["bounce@simulator.example"] })).body
    .id;
  await rig.sandbox.clock.advance(60_000);
  expect((await rig.get(`/api/v1/emails/${complained}`)).body.status).toBe("complained");
  expect((await rig.get(`/api/v1/emails/${bounced}`)).body.status).toBe("bounced");
});
