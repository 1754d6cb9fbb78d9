import { beforeEach, describe, expect, test } from "vitest";
import { controlCalls } from "../../../sandbox/control/control.ts";
import { put, startedAt, type TestFront, testFront } from "../front-parts.ts";

let front: TestFront;
beforeEach(async () => {
  front = await testFront();
});

describe("the table of calls", () => {
  test("GET /sandbox/ tells every call that is served", async () => {
    const { body } = await front.json("GET", "/sandbox/");
    expect(body.calls.map((call: { path: string }) => call.path)).toEqual(
      controlCalls.map(({ path }) => path),
    );
    expect((await front.json("GET", "/sandbox")).body).toEqual(body);
  });

  test("each body that it shows is taken", async () => {
    for (const { method, path, body } of controlCalls.filter((call) => call.body !== undefined))
      expect(await front.json(method, path, body), `${method} ${path}`).toMatchObject({ status: 200 });
  });

  test.for(["/health", "/sandbox/health"])("%s says that the sandbox answers", async (path) => {
    expect(await front.json("GET", path)).toEqual({ status: 200, body: { status: "ok" } });
  });
});

describe("what is refused, always in one shape and with a hint", () => {
  test.for<[string, string, unknown, number, string]>([
    ["GET", "/sandbox/none", undefined, 404, "no control call"],
    ["GET", "/sandbox/outbox/a/b", undefined, 404, "no control call"],
    ["GET", "/sandbox/outbox/%ff", undefined, 404, "no control call"],
    ["PUT", "/sandbox/clock", undefined, 405, "does not take this method"],
    ["POST", "/sandbox/clock", {}, 422, "Give `advance` or `to`"],
    ["POST", "/sandbox/clock", { advance: "soon" }, 422, "`advance` is neither a duration"],
    ["POST", "/sandbox/clock", { advance: -1 }, 422, "`advance` is neither a duration"],
    ["POST", "/sandbox/clock", { advance: 1.5 }, 422, "`advance` is neither a duration"],
    ["POST", "/sandbox/clock", { advance: 1e300 }, 422, "`advance` is neither a duration"],
    ["POST", "/sandbox/clock", { to: "tomorrow" }, 422, "`to` is not a time"],
    ["POST", "/sandbox/clock", { to: "2026-11-20T10:00:00Z" }, 409, "does not go back"],
    ["POST", "/sandbox/clock", { to: "+275760-09-12T23:59:59.900Z" }, 422, "goes no further than 3000-01-01"],
    ["POST", "/sandbox/clock", { to: "3000-01-01T00:00:00.001Z" }, 422, "goes no further than 3000-01-01"],
    ["POST", "/sandbox/clock", [1], 422, "not a JSON object"],
    ["POST", "/sandbox/confirm", { list_id: 1 }, 422, "`email` is missing"],
    ["POST", "/sandbox/confirm", { email: "pending@readers.example" }, 422, "`list_id` is missing"],
    ["POST", "/sandbox/confirm", { email: "pending@readers.example", list_id: 99 }, 404, "no list 99"],
    [
      "POST",
      "/sandbox/confirm",
      { email: "subscribed@readers.example", list_id: 1 },
      409,
      "no confirmation open",
    ],
    [
      "POST",
      "/sandbox/confirm",
      { email: "nobody@readers.example", list_id: 1 },
      409,
      "no confirmation open",
    ],
    ["POST", "/sandbox/suppress", { address: "ada" }, 422, "is not an address"],
    ["POST", "/sandbox/suppress", { address: "a@b.example", account: "nobody" }, 404, "no account"],
    ["POST", "/sandbox/unsuppress", { address: "a@b.example" }, 404, "not suppressed"],
    ["GET", "/sandbox/suppressions?account=nobody", undefined, 404, "no account"],
    ["GET", "/sandbox/outbox?limit=many", undefined, 422, "`limit`"],
    ["GET", "/sandbox/outbox/msg_none", undefined, 404, "no message"],
    ["GET", "/sandbox/outbox/msg_none.eml", undefined, 404, "no message"],
    ["GET", "/sandbox/calls/req_none", undefined, 404, "no call"],
    ["POST", "/sandbox/failures", {}, 422, "`fail` is missing"],
    ["POST", "/sandbox/failures", { fail: "418" }, 422, "`fail` is"],
    ["POST", "/sandbox/failures", { fail: "503", calls: 0 }, 422, "`calls` is not a whole number"],
    ["POST", "/sandbox/failures", { fail: "delay" }, 422, "`delay` is missing"],
    ["POST", "/sandbox/failures", { fail: "delay", delay: "PT1H" }, 422, "longer than ten minutes"],
  ])("%s %s %j", async ([method, target, body, status, says]) => {
    const answer = await front.json(method, target, body);
    expect(answer.status).toBe(status);
    expect(answer.body).toEqual({
      error: { message: expect.stringContaining(says), hint: expect.stringMatching(/./) },
    });
  });

  test("a body that is not JSON", async () => {
    const answer = await front.ask("POST", "/sandbox/clock", { body: new Uint8Array([0xff, 0x7b]) });
    expect(answer.status).toBe(422);
  });

  test("a method that an address does not take is told which it takes", async () => {
    const { headers } = await front.ask("PUT", "/sandbox/failures");
    expect(headers.allow).toBe("GET, POST, DELETE");
  });
});

describe("clock", () => {
  test("it moves on by a duration, by milliseconds, and to a time", async () => {
    expect((await front.json("POST", "/sandbox/clock", { advance: "P1DT1H" })).body.now).toBe(
      "2026-11-22T11:00:00.000Z",
    );
    expect((await front.json("POST", "/sandbox/clock", { advance: 1500 })).body.now).toBe(
      "2026-11-22T11:00:01.500Z",
    );
    const to = "2026-12-01T12:00:00+02:00";
    expect((await front.json("POST", "/sandbox/clock", { to })).body.now).toBe("2026-12-01T10:00:00.000Z");
  });

  test("it tells when the next message is due", async () => {
    expect((await front.json("GET", "/sandbox/clock")).body.next_due_at).toBeNull();
    await put(front.store, { status: "scheduled", sentAt: null, dueAt: startedAt + 60_000 });
    expect((await front.json("GET", "/sandbox/clock")).body).toEqual({
      now: "2026-11-21T10:00:00.000Z",
      next_due_at: "2026-11-21T10:01:00.000Z",
    });
  });

  test("a reset puts back what the seed has", async () => {
    await put(front.store, {});
    await front.json("POST", "/sandbox/unsuppress", { address: "gone@readers.example" });
    front.failures.add({ kind: "cut" }, 1);
    expect((await front.json("POST", "/sandbox/reset")).body.now).toBe("2026-11-21T10:00:00.000Z");
    expect((await front.json("GET", "/sandbox/outbox")).body.messages).toEqual([]);
    expect((await front.json("GET", "/sandbox/suppressions")).body.suppressions).toHaveLength(3);
    expect((await front.json("GET", "/sandbox/failures")).body.waiting).toEqual([]);
  });
});

describe("people", () => {
  test("a pending contact is confirmed once", async () => {
    const confirmation = { email: "Pending@readers.example", list_id: 1 };
    expect(await front.json("POST", "/sandbox/confirm", confirmation)).toMatchObject({
      status: 200,
      body: {
        email: "pending@readers.example",
        status: "subscribed",
        subscribed_at: "2026-11-21T10:00:00.000Z",
      },
    });
    expect((await front.json("POST", "/sandbox/confirm", confirmation)).status).toBe(409);
  });

  test("an address is suppressed, and written to again", async () => {
    await front.json("POST", "/sandbox/suppress", {
      address: "Ada@readers.example",
      account: "florist",
      reason: "left",
    });
    const listed = await front.json("GET", "/sandbox/suppressions?account=florist");
    expect(listed.body.suppressions).toEqual([
      { address: "ada@readers.example", reason: "left", at: "2026-11-21T10:00:00.000Z" },
    ]);
    await front.json("POST", "/sandbox/unsuppress", { address: "ada@readers.example", account: "florist" });
    expect((await front.json("GET", "/sandbox/suppressions?account=florist")).body.suppressions).toEqual([]);
  });
});

describe("records", () => {
  test("the outbox is listed in pages, the newest first", async () => {
    for (const index of [1, 2, 3])
      await put(front.store, { id: `msg_${index}`, createdAt: startedAt + index });
    const first = await front.json("GET", "/sandbox/outbox?limit=2&account=bakery");
    expect(first.body).toMatchObject({ messages: [{ id: "msg_3" }, { id: "msg_2" }], has_more: true });
    const second = await front.json("GET", "/sandbox/outbox?limit=2&before=msg_2");
    expect(second.body).toMatchObject({ messages: [{ id: "msg_1" }], has_more: false });
  });

  test("a message is shown with everything but the bytes of its attachments", async () => {
    const attachments = [
      { filename: "menu.txt", content: "aGVsbG8=", content_type: "text/plain" },
      { filename: "far.pdf", path: "https://files.example.com/far.pdf" },
    ];
    await put(front.store, { bcc: ["secret@readers.example"], content: { ...content, attachments } });
    const { body } = await front.json("GET", "/sandbox/outbox/msg_1");
    expect(body).toMatchObject({
      bcc: ["secret@readers.example"],
      text: "Hello",
      attachments: [
        { filename: "menu.txt", content_type: "text/plain", content_id: null, bytes: 5 },
        {
          filename: "far.pdf",
          content_type: null,
          content_id: null,
          path: "https://files.example.com/far.pdf",
        },
      ],
    });
  });

  test("a message is handed out as it goes over the wire", async () => {
    await put(front.store, {});
    const { headers, body } = await front.ask("GET", "/sandbox/outbox/msg_1.eml");
    expect(headers).toMatchObject({
      "content-type": "message/rfc822",
      "content-disposition": `attachment; filename="msg_1.eml"; filename*=UTF-8''msg_1.eml`,
    });
    expect(Buffer.from(body).toString()).toContain("Subject: Your order\r\n");
  });

  test("a call is found by its request id", async () => {
    const call = {
      requestId: "req_1",
      accountId: "bakery",
      method: "GET",
      path: "/api/v1/me",
      status: 200,
      errorType: null,
      fields: [],
      at: startedAt,
    };
    front.store.logRequest(call);
    expect((await front.json("GET", "/sandbox/calls/req_1")).body).toEqual({
      request_id: "req_1",
      account: "bakery",
      method: "GET",
      path: "/api/v1/me",
      status: 200,
      error_type: null,
      fields: [],
      at: "2026-11-21T10:00:00.000Z",
    });
    expect((await front.json("GET", "/sandbox/calls")).body.calls).toHaveLength(1);
  });
});

const content = { subject: "Hi", html: null, text: "Hello", reply_to: null, headers: {}, attachments: [] };

describe("failures", () => {
  test.for<[object, object]>([
    [{ fail: "500" }, { kind: "status", status: 500, body: true }],
    [{ fail: "500-empty" }, { kind: "status", status: 500, body: false }],
    [{ fail: 502 }, { kind: "status", status: 502, body: true }],
    [{ fail: "503" }, { kind: "status", status: 503, body: true }],
    [
      { fail: "delay", delay: "PT2S" },
      { kind: "delay", milliseconds: 2000 },
    ],
    [
      { fail: "delay", delay: 20 },
      { kind: "delay", milliseconds: 20 },
    ],
    [{ fail: "cut" }, { kind: "cut" }],
  ])("%j", async ([asked, failure]) => {
    const { body } = await front.json("POST", "/sandbox/failures", { ...asked, calls: 2 });
    expect(body.waiting).toEqual([expect.objectContaining({ fail: String(Object(asked).fail), calls: 2 })]);
    expect([front.failures.next(), front.failures.next(), front.failures.next()]).toEqual([
      failure,
      failure,
      undefined,
    ]);
  });

  test("they are called off", async () => {
    await front.json("POST", "/sandbox/failures", { fail: "cut", calls: 5 });
    expect((await front.json("DELETE", "/sandbox/failures")).body).toEqual({ waiting: [] });
    expect(front.failures.next()).toBeUndefined();
  });
});
