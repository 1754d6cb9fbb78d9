import { afterEach, expect, test, vi } from "vitest";
import { UserError } from "../../../lib/user-error.ts";
import type { Store } from "../../../sandbox/domain/store.ts";
import { latest } from "../../../sandbox/domain/times.ts";
import { MemoryStore } from "../../../sandbox/store/memory.ts";
import { type ClockOptions, SandboxClock } from "../../../sandbox/time/clock.ts";
import { temporaryFolder } from "../../temporary-folder.ts";
import { mail, startRig, time } from "../rig.ts";
import { hour, noon, withSettings } from "../store/records.ts";
import { openUnfilled } from "../store/stores.ts";

afterEach(() => vi.useRealTimers());

/** Holds the real time still, so that it can be moved by hand. */
const holdRealTime = (at: number) => vi.useFakeTimers({ now: at, toFake: ["Date"] });

/** A clock as a sandbox starts it. */
async function startClock(options: ClockOptions & { store: Store }): Promise<SandboxClock> {
  const clock = new SandboxClock(options);
  if (!(await options.store.fill(withSettings({ filled: "1", ...clock.atStart() })))) await clock.resume();
  return clock;
}

/** Sets what happens after each advance. */
const work = (clock: SandboxClock, runDue: (until: number) => Promise<void>): void =>
  clock.onAdvance({ before: async () => {}, runDue });

test("a frozen clock moves only when it is told to", async () => {
  holdRealTime(noon);
  const clock = await startClock({ store: new MemoryStore(), frozen: true, startAt: noon - hour });
  vi.setSystemTime(noon + hour);
  expect(clock.now()).toBe(noon - hour);
  await clock.advance(5);
  expect(clock.now()).toBe(noon - hour + 5);
});

test("a running clock keeps its distance from the real time", async () => {
  holdRealTime(noon);
  const clock = await startClock({ store: new MemoryStore() });
  expect(clock.now()).toBe(noon);
  await clock.advance(hour);
  vi.setSystemTime(noon + 7);
  expect(clock.now()).toBe(noon + hour + 7);
});

test("a running clock can start at any time", async () => {
  holdRealTime(noon);
  const clock = await startClock({ store: new MemoryStore(), startAt: 0 });
  vi.setSystemTime(noon + 3);
  expect(clock.now()).toBe(3);
});

test.each([-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY])(
  "%d is no time to go on by",
  async (milliseconds) => {
    const clock = await startClock({ store: new MemoryStore(), frozen: true, startAt: noon });
    await expect(clock.advance(milliseconds)).rejects.toThrow(RangeError);
    expect(clock.now()).toBe(noon);
  },
);

test.each([-1, 0.5, Number.NaN, latest + 1])("%d is no time to start at", (startAt) => {
  expect(() => new SandboxClock({ store: new MemoryStore(), frozen: true, startAt })).toThrow(UserError);
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

test("concurrent advances add up, and one whose due messages fail concerns no other one", async () => {
  const clock = await startClock({ store: new MemoryStore(), frozen: true, startAt: noon });
  const targets: number[] = [];
  work(clock, async (target) => {
    targets.push(target - noon);
    if (targets.length === 2) throw new Error("the disk is full");
  });
  const outcomes = await Promise.allSettled([clock.advance(1), clock.advance(2), clock.advance(4)]);
  expect(outcomes.map((outcome) => outcome.status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(targets).toEqual([1, 3, 7]);
});

test("a restart goes on where it was: a frozen one at the same moment, a running one at the same distance", async () => {
  holdRealTime(noon);
  const folder = temporaryFolder();
  const first = await openUnfilled(folder);
  await (await startClock({ store: first, frozen: true, startAt: 0 })).advance(hour);
  await first.close();
  vi.setSystemTime(noon + 24 * hour);
  const second = await openUnfilled(folder);
  expect((await startClock({ store: second, frozen: true, startAt: 0 })).now()).toBe(hour);
  const running = await startClock({ store: second });
  expect(running.now()).toBe(hour);
  await running.advance(1);
  vi.setSystemTime(noon + 25 * hour);
  await second.close();
  expect((await startClock({ store: await openUnfilled(folder) })).now()).toBe(2 * hour + 1);
});

test("a reset during an advance has the last word", async () => {
  const store = new MemoryStore();
  const clock = await startClock({ store, frozen: true, startAt: noon });
  work(clock, () => store.reset(withSettings(clock.atStart())));
  await clock.advance(hour);
  expect(clock.now()).toBe(noon);
});

test("two advances to the same time at once end there", async () => {
  const clock = await startClock({ store: new MemoryStore(), frozen: true, startAt: noon });
  await Promise.all([clock.advanceTo(noon + hour), clock.advanceTo(noon + hour)]);
  expect(clock.now()).toBe(noon + hour);
});
