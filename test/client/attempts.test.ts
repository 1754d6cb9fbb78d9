import { describe, expect, test } from "vitest";
import { ApiError, ConnectionError, TimeoutError } from "../../client/src/index.ts";
import { answer, failure } from "./scripted-fetch.ts";
import { accepted, message, rejection, rig } from "./test-client.ts";

const good = answer(accepted, {}, 202);

describe("what is repeated", () => {
  test.for([
    ["rate_limited", failure(429, "rate_limited", { "Retry-After": "1" })],
    ["500", failure(500, "internal")],
    ["500 without a body", { status: 500 }],
    ["502 in HTML", { status: 502, body: "<html>Bad gateway</html>" }],
    ["503", failure(503, "unavailable")],
    ["a connection that breaks", { cut: "ECONNRESET" }],
    ["an answer that breaks off", { status: 202, partly: '{"id":', end: "cut" as const }],
    ["an answer that hangs", { status: 202, partly: '{"id":', end: "hang" as const }],
    ["silence", { hang: true as const }],
  ] as const)("a send is repeated after %s, with the same key and body", async ([, fault]) => {
    const { client, made, until } = rig([fault, good]);
    expect(await until(client.emails.send(message))).toEqual(accepted);
    expect(made).toHaveLength(2);
    expect(made[0]?.headers["idempotency-key"]).toMatch(/^[0-9a-f-]{36}$/);
    expect(made[1]?.headers["idempotency-key"]).toBe(made[0]?.headers["idempotency-key"]);
    expect(made[1]?.body).toBe(made[0]?.body);
  });

  test.for([
    [401, "unauthorized"],
    [402, "no_plan"],
    [403, "forbidden"],
    [403, "send_rejected"],
    [404, "not_found"],
    [405, "method_not_allowed"],
    [409, "send_rejected"],
    [409, "idempotency_conflict"],
    [409, "not_cancellable"],
    [409, "not_reschedulable"],
    [413, "send_rejected"],
    [422, "invalid_request"],
    [422, "send_rejected"],
    [429, "send_rejected"],
    [429, "something_new"],
    [418, "something_new"],
    [504, "something_new"],
  ] as const)("%d %s is not repeated", async ([status, type]) => {
    const { client, made, until } = rig([failure(status, type, { "Retry-After": "1" })]);
    const error = await until(rejection(client.emails.send(message)));
    expect(error).toMatchObject({ name: "ApiError", status, type, attempts: 1 });
    expect(made).toHaveLength(1);
  });

  test("a write without a key is repeated only where nothing was done", async () => {
    const limited = rig([
      failure(429, "rate_limited", { "Retry-After": "1" }),
      answer({ status: "canceled" }),
    ]);
    expect(await limited.until(limited.client.emails.cancel("sched_1"))).toEqual({ status: "canceled" });
    for (const fault of [
      { status: 500 },
      { status: 502 },
      { status: 503 },
      { cut: "ECONNRESET" },
      { hang: true } as const,
    ]) {
      const { client, made, until } = rig([fault]);
      await until(rejection(client.emails.cancel("sched_1")));
      await until(rejection(client.emails.reschedule("sched_1", { scheduled_at: "2027-02-01T09:00:00Z" })));
      await until(rejection(client.newsletter.contacts.unsubscribe("ada@example.com")));
      expect(made.map(({ method }) => method)).toEqual(["DELETE", "PATCH", "POST"]);
    }
  });

  test("a read is repeated without a key", async () => {
    const { client, made, until } = rig([{ cut: "ECONNRESET" }, failure(503, "x"), answer({ lists: [] })]);
    expect(await until(client.newsletter.lists())).toEqual({ lists: [] });
    expect(made).toHaveLength(3);
    expect(made[0]?.headers).not.toHaveProperty("idempotency-key");
  });
});

describe("pauses", () => {
  test("grow, twice as long each time, less up to a half by chance", async () => {
    const pauses = async (random: number) => {
      const seen: number[] = [];
      const { client, until } = rig([{ status: 500 }], {
        random: () => random,
        attempts: 7,
        onEvent: (event) => event.type === "pause" && seen.push(event.milliseconds),
      });
      await until(rejection(client.emails.send(message)));
      return seen;
    };
    expect(await pauses(0)).toEqual([500, 1000, 2000, 4000, 8000, 8000]);
    expect(await pauses(0.5)).toEqual([375, 750, 1500, 3000, 6000, 6000]);
  });

  test.for([
    ["seconds", "7"],
    ["a date", new Date(Date.parse("2027-01-31T09:00:07Z")).toUTCString()],
  ] as const)("Retry-After as %s is not undercut", async ([, value]) => {
    const { client, clock, until } = rig([failure(429, "rate_limited", { "Retry-After": value }), good]);
    const start = clock.Date.now();
    await until(client.emails.send(message));
    expect(clock.Date.now() - start).toBeGreaterThanOrEqual(7000);
    expect(clock.Date.now() - start).toBeLessThan(8000);
  });

  test("a date counts from the service's own time, whatever our clock says", async () => {
    const headers = { Date: "Sun, 31 Jan 2027 06:00:00 GMT", "Retry-After": "Sun, 31 Jan 2027 06:00:20 GMT" };
    const { client, clock, until } = rig([failure(429, "rate_limited", headers), good]);
    const start = clock.Date.now();
    await until(client.emails.send(message));
    expect(clock.Date.now() - start).toBeGreaterThanOrEqual(20_000);
  });

  test("a Retry-After that is no time is passed over", async () => {
    for (const value of ["soon", "-5", "Sun, 31 Jan 2021 06:00:20 GMT", ""]) {
      const { client, clock, until } = rig([failure(429, "rate_limited", { "Retry-After": value }), good]);
      const start = clock.Date.now();
      await until(client.emails.send(message));
      expect(clock.Date.now() - start).toBe(500);
    }
  });

  test("a Retry-After past the timeout ends the call at once, and the error says so", async () => {
    const { client, clock, made, until } = rig([
      failure(429, "rate_limited", { "Retry-After": "3600" }),
      good,
    ]);
    const start = clock.Date.now();
    const error = await until(rejection(client.emails.send(message)));
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ retryAfter: 3600, attempts: 1 });
    expect((error as Error).message).toBe(
      "429 rate_limited: It did not work.; Retry-After passes the timeout",
    );
    expect([clock.Date.now() - start, made.length]).toEqual([0, 1]);
  });

  test("an hour is waited for where the timeout allows it, even without an end", async () => {
    for (const timeout of [7_200_000, Number.POSITIVE_INFINITY]) {
      const { client, clock, until } = rig([failure(429, "rate_limited", { "Retry-After": "3600" }), good], {
        timeout,
      });
      const start = clock.Date.now();
      await until(client.emails.send(message));
      expect(clock.Date.now() - start).toBe(3_600_500);
    }
  });
});

describe("limits of time", () => {
  test("an attempt ends after its own limit, the call after its own", async () => {
    const { client, clock, made, until } = rig([{ hang: true }], {
      attemptTimeout: 1000,
      timeout: 10_000,
      attempts: 3,
    });
    const start = clock.Date.now();
    const error = await until(rejection(client.emails.send(message)));
    expect(error).toBeInstanceOf(TimeoutError);
    expect(error).toMatchObject({ attempts: 3, idempotencyKey: made[0]?.headers["idempotency-key"] });
    expect(clock.Date.now() - start).toBe(4500);
    expect(made.every(({ signal }) => signal.aborted)).toBe(true);
  });

  test("the timeout of the call cuts an attempt short", async () => {
    const { client, clock, until } = rig([{ hang: true }], { timeout: 2500 });
    const start = clock.Date.now();
    expect(await until(rejection(client.emails.send(message)))).toBeInstanceOf(TimeoutError);
    expect(clock.Date.now() - start).toBe(2500);
  });

  test("a fetch that does not listen to its signal is not waited for", async () => {
    const { client, until } = rig([], { fetch: () => new Promise(() => {}), attempts: 1 });
    expect(await until(rejection(client.me()))).toBeInstanceOf(TimeoutError);
  });

  test("no limit is no limit", async () => {
    const forever = Number.POSITIVE_INFINITY;
    const slow = rig([], {
      attemptTimeout: forever,
      timeout: forever,
      fetch: () =>
        new Promise((resolve) => slow.clock.setTimeout(() => resolve(Response.json(accepted)), 600_000)),
    });
    expect(await slow.until(slow.client.emails.send(message))).toEqual(accepted);
  });

  test("a call's own limits come before the client's", async () => {
    const { client, made, until } = rig([{ status: 500 }], { attempts: 5 });
    await until(rejection(client.emails.send(message, { attempts: 2 })));
    expect(made).toHaveLength(2);
  });

  test("nothing is left behind: no timer, no listener", async () => {
    const controller = new AbortController();
    let listeners = 0;
    const { signal } = controller;
    const add = signal.addEventListener.bind(signal);
    signal.addEventListener = (...given: Parameters<typeof add>) => {
      listeners += 1;
      const { signal: ended } = given[2] as { signal: AbortSignal };
      ended.addEventListener("abort", () => {
        listeners -= 1;
      });
      add(...given);
    };
    const { client, clock, until } = rig([{ status: 500 }, { cut: "ECONNRESET" }, good]);
    await until(client.emails.send(message, { signal }));
    expect([clock.timers, listeners]).toEqual([0, 0]);
  });
});

describe("a signal", () => {
  test("that is over before the call keeps it from being made", async () => {
    const told: string[] = [];
    const { client, made, until } = rig([good], { onEvent: ({ type }) => told.push(type) });
    const reason = new Error("no more");
    expect(await until(rejection(client.emails.send(message, { signal: AbortSignal.abort(reason) })))).toBe(
      reason,
    );
    expect([made, told]).toEqual([[], []]);
  });

  test("ends an attempt and a pause", async () => {
    for (const fault of [{ hang: true as const }, failure(429, "rate_limited", { "Retry-After": "60" })]) {
      const { client, clock, made } = rig([fault, good]);
      const controller = new AbortController();
      const call = rejection(client.emails.send(message, { signal: controller.signal }));
      await clock.advance(10);
      controller.abort("enough");
      expect(await call).toBe("enough");
      expect([made.length, clock.timers]).toEqual([1, 0]);
    }
  });
});

test("a connection that cannot be made says why", async () => {
  const { client, until, made } = rig([{ cut: "ECONNREFUSED" }]);
  const error = await until(rejection(client.emails.send(message)));
  expect(error).toBeInstanceOf(ConnectionError);
  expect(error).toMatchObject({
    message: "no response: ECONNREFUSED",
    method: "POST",
    url: "https://api.example.com/api/v1/emails",
    attempts: 4,
    idempotencyKey: made[0]?.headers["idempotency-key"],
  });
});
