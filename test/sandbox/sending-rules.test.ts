import { expect, test } from "vitest";
import { limits } from "../../generated/limits.ts";
import { keys, mail, startRig } from "./rig.ts";

test.each(["2026-03-11T10:00+01:00", "20260311T090000Z", "20260311T1000+01", "2026-03-11T09:00:00,0Z"])(
  "%s is a time to send at and to reschedule to",
  async (scheduled_at) => {
    const { post, call } = await startRig();
    const { status, body } = await post("/api/v1/emails", mail({ scheduled_at }));
    expect([status, body.scheduled_at]).toEqual([202, "2026-03-11T09:00:00.000Z"]);
    const sooner = { body: { scheduled_at: "2026-03-10T12:00:00Z" } };
    expect((await call("PATCH", `/api/v1/emails/${body.id}`, sooner)).status).toBe(200);
    const again = await call("PATCH", `/api/v1/emails/${body.id}`, { body: { scheduled_at } });
    expect([again.status, again.body.scheduled_at]).toEqual([200, "2026-03-11T09:00:00.000Z"]);
  },
);

test.for(["2026-11-31T10:00:00Z", "2026-W48-3T10:00:00Z", "2026-12-01T10Z", "2026-12-01T10:00:00"])(
  "the error for %s says what a time must have",
  async (scheduled_at) => {
    const { post } = await startRig();
    const { status, body } = await post("/api/v1/emails", mail({ scheduled_at }));
    expect([status, body.error.fields]).toEqual([
      422,
      {
        scheduled_at: [
          expect.stringMatching(/a calendar date that exists, hours and minutes, and an offset/),
        ],
      },
    ]);
  },
);

test("a message of exactly the largest size is taken, and one byte more is not", async () => {
  const { post } = await startRig();
  const size = limits.messageSize * 1024 * 1024;
  const content = Buffer.alloc(size / 2).toString("base64");
  const message = (text: number) =>
    mail({ subject: "", text: "x".repeat(text), attachments: [{ filename: "a", content }] });
  expect((await post("/api/v1/emails", message(size / 2))).status).toBe(202);
  expect((await post("/api/v1/emails", message(size / 2 + 1))).status).toBe(413);
});

test("a body larger than anything that is read is too large for a send, and unreadable elsewhere", async () => {
  const { call } = await startRig();
  const raw = new Uint8Array(41 * 1024 * 1024);
  expect((await call("POST", "/api/v1/emails", { raw })).status).toBe(413);
  const other = await call("POST", "/api/v1/newsletter/contacts", { raw });
  expect([other.status, other.fields]).toEqual([422, ["body"]]);
  expect(other.body.error.fields.body).toEqual(["Must not be larger than 40 MiB."]);
});

test("a domain that a key or an account cannot send from", async () => {
  const { post } = await startRig();
  const from = async (address: string, key: string) => {
    const { status, type } = await post("/api/v1/emails", mail({ from: address }), { key });
    return `${status} ${type ?? "taken"}`;
  };
  expect(await from("a@bakery.example", keys.restricted)).toBe("403 send_rejected");
  expect(await from("a@SHOP.bakery.example", keys.restricted)).toBe("202 taken");
  expect(await from("a@florist.example", keys.all)).toBe("403 send_rejected");
  expect(await from("a@sub.bakery.example", keys.all)).toBe("403 send_rejected");
  expect(await from("a@unverified.bakery.example", keys.all)).toBe("409 send_rejected");
  expect(await from("a@stopped.bakery.example", keys.all)).toBe("409 send_rejected");
  expect(await from("a@starter.example", keys.noDomain)).toBe("422 send_rejected");
  expect(await from("a@cinema.example", keys.ceiling)).toBe("429 send_rejected");
});

test("at the sending ceiling, the response says when to retry", async () => {
  const { post } = await startRig();
  const response = await post("/api/v1/emails", mail({ from: "a@cinema.example" }), { key: keys.ceiling });
  expect(response.headers["retry-after"]).toMatch(/^[1-9]\d*$/);
});
