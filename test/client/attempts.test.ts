import { describe, expect, test } from "vitest";
import { ApiError, TimeoutError } from "../../client/src/index.ts";
import { accepted, failure, message, rejection, success, testClient } from "./test-client.ts";

const good = success(accepted, {}, 202);

describe("retries", () => {
  test.for([
    ["rate_limited", failure(429, "rate_limited", { "Retry-After": "1" })],
    ["500 without a body", { status: 500 }],
    ["an incomplete response", { status: 202, partly: '{"id":', end: "cut" as const }],
    ["a response that hangs", { status: 202, partly: '{"id":', end: "hang" as const }],
  ] as const)("a send is retried after %s, with the same key and body", async ([, fault]) => {
    const { client, requests, until } = testClient([fault, good]);
    expect(await until(client.emails.send(message))).toEqual(accepted);
    expect(requests).toHaveLength(2);
    expect(requests[0]?.headers["idempotency-key"]).toMatch(/^[0-9a-f-]{36}$/);
    expect(requests[1]?.headers["idempotency-key"]).toBe(requests[0]?.headers["idempotency-key"]);
    expect(requests[1]?.body).toBe(requests[0]?.body);
  });
});

describe("backoff", () => {
  test("doubles each time, less a random part of up to a half", async () => {
    const pauses = async (random: number) => {
      const seen: number[] = [];
      const { client, until } = testClient([{ status: 500 }], {
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
  ] as const)("Retry-After as %s is the shortest pause", async ([, value]) => {
    const { client, elapsed, until } = testClient([
      failure(429, "rate_limited", { "Retry-After": value }),
      good,
    ]);
    await until(client.emails.send(message));
    expect(elapsed()).toBeGreaterThanOrEqual(7000);
    expect(elapsed()).toBeLessThan(8000);
  });

  test("a Retry-After date is relative to the Date header", async () => {
    const headers = { Date: "Sun, 31 Jan 2027 06:00:00 GMT", "Retry-After": "Sun, 31 Jan 2027 06:00:20 GMT" };
    const { client, elapsed, until } = testClient([failure(429, "rate_limited", headers), good]);
    await until(client.emails.send(message));
    expect(elapsed()).toBeGreaterThanOrEqual(20_000);
  });

  test("a Retry-After past the timeout ends the request immediately, and the error says so", async () => {
    const { client, elapsed, requests, until } = testClient([
      failure(429, "rate_limited", { "Retry-After": "3600" }),
      good,
    ]);
    const error = await until(rejection(client.emails.send(message)));
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ retryAfter: 3600, attempts: 1 });
    expect((error as Error).message).toBe(
      "429 rate_limited: It did not work.; Retry-After passes the timeout",
    );
    expect([elapsed(), requests.length]).toEqual([0, 1]);
  });

  test("an hour is waited if the timeout allows it, even an infinite one", async () => {
    for (const timeout of [7_200_000, Number.POSITIVE_INFINITY]) {
      const { client, elapsed, until } = testClient(
        [failure(429, "rate_limited", { "Retry-After": "3600" }), good],
        {
          timeout,
        },
      );
      await until(client.emails.send(message));
      expect(elapsed()).toBe(3_600_500);
    }
  });
});

describe("timeouts", () => {
  test("attemptTimeout ends an attempt, timeout the request", async () => {
    const { client, elapsed, requests, until } = testClient([{ hang: true }], {
      attemptTimeout: 1000,
      timeout: 10_000,
      attempts: 3,
    });
    const error = await until(rejection(client.emails.send(message)));
    expect(error).toBeInstanceOf(TimeoutError);
    expect(error).toMatchObject({ attempts: 3, idempotencyKey: requests[0]?.headers["idempotency-key"] });
    expect(elapsed()).toBe(4500);
    expect(requests.every(({ signal }) => signal.aborted)).toBe(true);
  });

  test("the timeout of the request ends an attempt", async () => {
    const { client, elapsed, until } = testClient([{ hang: true }], { timeout: 2500 });
    expect(await until(rejection(client.emails.send(message)))).toBeInstanceOf(TimeoutError);
    expect(elapsed()).toBe(2500);
  });

  test("a fetch that ignores its signal is not awaited", async () => {
    const { client, until } = testClient([], { fetch: () => new Promise(() => {}), attempts: 1 });
    expect(await until(rejection(client.me()))).toBeInstanceOf(TimeoutError);
  });

  test("an infinite timeout never ends a request", async () => {
    const forever = Number.POSITIVE_INFINITY;
    const slow = testClient([], {
      attemptTimeout: forever,
      timeout: forever,
      fetch: () =>
        new Promise((resolve) => slow.clock.setTimeout(() => resolve(Response.json(accepted)), 600_000)),
    });
    expect(await slow.until(slow.client.emails.send(message))).toEqual(accepted);
  });

  test("no timer and no listener is left", async () => {
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
    const { client, clock, until } = testClient([{ status: 500 }, { cut: "ECONNRESET" }, good]);
    await until(client.emails.send(message, { signal }));
    expect([clock.timers, listeners]).toEqual([0, 0]);
  });
});

describe("a signal", () => {
  test("that is aborted before the request prevents it", async () => {
    const events: string[] = [];
    const { client, requests, until } = testClient([good], { onEvent: ({ type }) => events.push(type) });
    const reason = new Error("no more");
    expect(await until(rejection(client.emails.send(message, { signal: AbortSignal.abort(reason) })))).toBe(
      reason,
    );
    expect([requests, events]).toEqual([[], []]);
  });
});
