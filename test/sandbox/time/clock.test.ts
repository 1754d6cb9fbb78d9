import { afterEach, expect, test, vi } from "vitest";
import { UserError } from "../../../lib/user-error.ts";
import type { Store } from "../../../sandbox/domain/store.ts";
import { latest } from "../../../sandbox/domain/times.ts";
import { type ClockOptions, createClock, type SandboxClock } from "../../../sandbox/time/clock.ts";
import { mail, startRig, time } from "../rig.ts";
import { hour, noon, setSetting, withSettings } from "../store/records.ts";
import { opened, temporaryFolder } from "../store/sample.ts";

afterEach(() => vi.useRealTimers());

/** Holds the real time still, so that it can be moved by hand. */
const holdRealTime = (at: number) => vi.useFakeTimers({ now: at, toFake: ["Date"] });

/** A clock as a sandbox starts it. */
async function startClock(options: ClockOptions & { store: Store }): Promise<SandboxClock> {
  const clock = createClock(options);
  if (!(await options.store.fill(withSettings({ filled: "1", ...clock.atStart() })))) await clock.resume();
  return clock;
}

test("a frozen clock moves only when it is told to", async () => {
  holdRealTime(noon);
  const clock = await startClock({ store: opened(), frozen: true, startAt: noon - hour });
  vi.setSystemTime(noon + hour);
  expect(clock.now()).toBe(noon - hour);
  await clock.advance(5);
  expect(clock.now()).toBe(noon - hour + 5);
});

test("a running clock keeps its distance from the real time", async () => {
  holdRealTime(noon);
  const clock = await startClock({ store: opened() });
  expect(clock.now()).toBe(noon);
  await clock.advance(hour);
  vi.setSystemTime(noon + 7);
  expect(clock.now()).toBe(noon + hour + 7);
});

test("a running clock can start at any time", async () => {
  holdRealTime(noon);
  const clock = await startClock({ store: opened(), startAt: 0 });
  vi.setSystemTime(noon + 3);
  expect(clock.now()).toBe(3);
});

test.each([-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY])(
  "%d is no time to go on by",
  async (milliseconds) => {
    const clock = await startClock({ store: opened(), frozen: true, startAt: noon });
    await expect(clock.advance(milliseconds)).rejects.toThrow(RangeError);
    expect(clock.now()).toBe(noon);
  },
);

test.each([-1, 0.5, Number.NaN, latest + 1])("%d is no time to start at", (startAt) => {
  expect(() => createClock({ store: opened(), frozen: true, startAt })).toThrow(UserError);
});

test("it goes to its latest time, not further, and the sandbox responds there as usual", async () => {
  const { call, post, get, sandbox } = await startRig({
    clock: { frozen: true, startAt: latest - 2 * hour },
  });
  const move = (body: object) =>
    fetch(`${sandbox.url}/sandbox/clock`, { method: "POST", body: JSON.stringify(body) });
  const moves = await Promise.all([1, 2, 3].map(() => move({ advance: "PT1H" })));
  expect(moves.map(({ status }) => status).toSorted()).toEqual([200, 200, 422]);
  expect((await move({ advance: 1 })).status).toBe(422);
  expect((await move({ advance: 0 })).status).toBe(200);
  expect(sandbox.clock.now()).toBe(latest);
  const scheduled_at = time(latest + hour);
  const taken = await Promise.all([
    post("/api/v1/emails", mail()),
    post("/api/v1/emails", mail({ scheduled_at })),
  ]);
  expect(taken.map(({ status }) => status)).toEqual([202, 202]);
  expect((await get(`/api/v1/emails/${taken[1]?.body.id}`)).body.scheduled_at).toBe(scheduled_at);
  expect((await call("GET", "/api/v1/me")).status).toBe(200);
});

test("while it is moved it stands where its work takes it, and never goes back", async () => {
  const clock = await startClock({ store: opened(), frozen: true, startAt: noon });
  const seen: number[] = [];
  clock.onAdvance(async () => {
    seen.push(clock.reach(noon + 10), clock.reach(noon + 4), clock.now());
  });
  expect(clock.reach(noon + 10)).toBe(noon);
  await clock.advance(100);
  expect(seen).toEqual([noon + 10, noon + 10, noon + 10]);
  expect(clock.now()).toBe(noon + 100);
});

test("two advances at once go one after the other, and a failed one holds up nobody", async () => {
  const clock = await startClock({ store: opened(), frozen: true, startAt: noon });
  const targets: number[] = [];
  clock.onAdvance(async (target) => {
    targets.push(target - noon);
    if (targets.length === 2) throw new Error("the disk is full");
  });
  const outcomes = await Promise.allSettled([clock.advance(1), clock.advance(2), clock.advance(4)]);
  expect(outcomes.map((outcome) => outcome.status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(targets).toEqual([1, 3, 5]);
});

test("a restart goes on where it was: a frozen one at the same moment, a running one at the same distance", async () => {
  holdRealTime(noon);
  const folder = temporaryFolder();
  const first = opened(folder);
  await (await startClock({ store: first, frozen: true, startAt: 0 })).advance(hour);
  await first.close();
  vi.setSystemTime(noon + 24 * hour);
  const second = opened(folder);
  expect((await startClock({ store: second, frozen: true, startAt: 0 })).now()).toBe(hour);
  const running = await startClock({ store: second });
  expect(running.now()).toBe(hour);
  await running.advance(1);
  vi.setSystemTime(noon + 25 * hour);
  await second.close();
  expect((await startClock({ store: opened(folder) })).now()).toBe(2 * hour + 1);
});

test("a reset brings it back to its start", async () => {
  const store = opened();
  const clock = await startClock({ store, frozen: true, startAt: noon });
  await clock.advance(hour);
  await store.reset(withSettings(clock.atStart()));
  expect(clock.now()).toBe(noon);
});

test("a reset while it is moved has the last word", async () => {
  const store = opened();
  const clock = await startClock({ store, frozen: true, startAt: noon });
  clock.onAdvance(async () => {
    clock.reach(noon + 1);
    await store.reset(withSettings(clock.atStart()));
    clock.reach(noon + 2);
  });
  await clock.advance(hour);
  expect(clock.now()).toBe(noon);
  expect(clock.advancing).toBe(false);
});

test("two advances to the same time at once end there", async () => {
  const clock = await startClock({ store: opened(), frozen: true, startAt: noon });
  await Promise.all([clock.advanceTo(noon + hour), clock.advanceTo(noon + hour)]);
  expect(clock.now()).toBe(noon + hour);
});

test("two instances on one store advance one after the other, and see the same time", async () => {
  const store = opened();
  const [one, other] = [
    await startClock({ store, frozen: true, startAt: noon }),
    await startClock({ store, frozen: true }),
  ];
  const seen: number[] = [];
  one.onAdvance(async (target) => {
    seen.push(target - noon);
    expect(other.now()).toBe(noon);
  });
  other.onAdvance(async (target) => void seen.push(target - noon));
  await Promise.all([one.advance(hour), other.advance(hour)]);
  expect(seen).toEqual([hour, 2 * hour]);
  expect([one.now(), other.now()]).toEqual([noon + 2 * hour, noon + 2 * hour]);
});

test("a clock goes on where an instance that was killed in an advance has left it", async () => {
  vi.useFakeTimers({ now: noon, toFake: ["Date"] });
  const store = opened();
  const killed = await startClock({ store });
  killed.onAdvance(() => new Promise(() => {}));
  void killed.advance(hour);
  await new Promise((resolve) => setTimeout(resolve, 1));
  const other = await startClock({ store });
  expect(other.now()).toBe(noon);
  vi.setSystemTime(noon + 2_000);
  await other.advance(5);
  expect(other.now()).toBe(noon + 5);
});

test("an advance fails if another instance has taken over the clock, and does not move it", async () => {
  const store = opened();
  const clock = await startClock({ store, frozen: true, startAt: noon });
  const taken = JSON.stringify({ at: noon + 5, holder: "another", until: Date.now() + hour });
  clock.onAdvance(async () => {
    await setSetting(store, "clock", taken);
    const setting = clock.progress();
    await store.runDue({
      until: noon,
      limit: 1,
      step: (message) => ({ message }),
      ...(setting && { setting }),
    });
  });
  await expect(clock.advance(hour)).rejects.toThrow("another instance has taken over the clock");
  expect(store.setting("clock")).toBe(taken);
});
