import fc from "fast-check";
import { expect, test } from "vitest";
import { limits } from "../../../generated/limits.ts";
import { createRateLimiter } from "../../../sandbox/api/access.ts";
import { ErrorResponse } from "../../../sandbox/api/error-response.ts";
import { MemoryStore } from "../../../sandbox/store/memory.ts";
import { day, keys, mail, start, startRig } from "../rig.ts";

test("calls without a working key count for nobody", async () => {
  const { get } = await startRig();
  for (let count = 0; count < 5; count += 1) await get("/api/v1/me", { key: keys.revoked });
  expect((await get("/api/v1/me")).headers["x-ratelimit-remaining"]).toBe(
    String(limits.requestsPerMinute - 1),
  );
});

test("every recipient counts towards the month, and those left out do not", async () => {
  const { post } = await startRig();
  const change = {
    to: ["a@x.example", "b@x.example"],
    cc: ["c@x.example", "gone@readers.example"],
    bcc: ["d@x.example"],
  };
  const { headers } = await post("/api/v1/emails", mail(change));
  expect([headers["x-service-monthly-quota"], headers["x-service-monthly-remaining"]]).toEqual([
    "10000",
    "9996",
  ]);
});

test("a used-up quota rejects nothing, and the next month starts again", async () => {
  const { post, sandbox } = await startRig();
  const body = mail({ from: "a@kiosk.example", to: ["a@x.example", "b@x.example"] });
  const left = async () =>
    (await post("/api/v1/emails", body, { key: keys.smallQuota })).headers["x-service-monthly-remaining"];
  expect([await left(), await left(), await left()]).toEqual(["3", "1", "0"]);
  await sandbox.clock.advance(Date.parse("2026-04-01T00:00:00Z") - start - 1);
  expect(await left()).toBe("0");
  await sandbox.clock.advance(1);
  expect(await left()).toBe("3");
});

test("a message can be looked up until its time after sending is over", async () => {
  const { post, get, sandbox } = await startRig();
  const { body } = await post("/api/v1/emails", mail({ scheduled_at: "2026-03-11T09:00:00Z" }));
  await sandbox.clock.advance(day + limits.messageLookup * day - 1);
  expect((await get(`/api/v1/emails/${body.id}`)).body.status).toBe("delivered");
  await sandbox.clock.advance(1);
  expect((await get(`/api/v1/emails/${body.id}`)).status).toBe(404);
});

test("within any 60 seconds as many calls pass as the limit says, and a rejected one passes when it was told to", async () => {
  const pause = fc.oneof(fc.constant(0), fc.nat({ max: 4000 }));
  const pauses = fc.array(pause, { minLength: 50, maxLength: 1500 });
  await fc.assert(
    fc.asyncProperty(pauses, fc.integer({ min: 1, max: 20 }), async (gaps, limit) => {
      const limiter = createRateLimiter(new MemoryStore(), limit);
      const passed: number[] = [];
      let now = 1_000_000;
      for (const gap of gaps) {
        now += gap;
        const taken = await limiter.take("a", now);
        const recent = passed.filter((at) => at > now - 60_000).length;
        if (taken instanceof ErrorResponse) {
          expect(recent).toBe(limit);
          const wait = Number(taken.headers?.["Retry-After"]) * 1000;
          expect(passed.filter((at) => at > now + wait - 60_000).length).toBeLessThan(limit);
        } else {
          expect(taken).toBe(limit - recent - 1);
          passed.push(now);
        }
      }
    }),
    { numRuns: 50 },
  );
});

test("an account may have a limit of its own, and the others have the service's", async () => {
  const limiter = createRateLimiter(new MemoryStore(), { a: 2 });
  expect([limiter.limitOf("a"), limiter.limitOf("b")]).toEqual([2, limits.requestsPerMinute]);
  expect([await limiter.take("a", 0), await limiter.take("b", 0)]).toEqual([1, limits.requestsPerMinute - 1]);
});
