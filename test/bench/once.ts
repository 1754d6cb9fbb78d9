import { join } from "node:path";
import { bodyLimits } from "../../sandbox/api/context.ts";
import { type LargeRequest, largeRequests } from "../sandbox/fuzz/large-requests.ts";
import type { Usage } from "./child.ts";
import type { Figure } from "./figures.ts";
import { measure, median, requestHeaders, sendOne, startPinned } from "./measure.ts";

const megabyte = 1024 * 1024;
const places = ["memory", "file"] as const;

/** How long something took, in milliseconds: by the clock on the wall, and of CPU. */
interface Timed {
  took: number;
  cpu: number;
}

const cpuOf = (cpu: number): string => `${cpu.toFixed(1)} ms of CPU`;

const placeIn = (folder: string, place: (typeof places)[number], name: string): string =>
  place === "file" ? join(folder, name) : "";

/** The largest memory of the process after 100,000 messages, with and without idempotency keys. */
export async function peakMemory(script: string, floorScript: string, folder: string): Promise<Figure[]> {
  const figures: Figure[] = [];
  const floor = await startPinned(floorScript);
  await measure(floor, { connections: 50, amount: 100_000 });
  const detail = `floor ${((await floor.ask<Usage>({})).peak / megabyte).toFixed(0)} MiB`;
  await floor.stop();
  for (const place of places) {
    for (const keys of [false, true]) {
      const server = await startPinned(script, [placeIn(folder, place, `memory-${keys}`)]);
      const { requests } = await measure(server, { connections: 50, amount: 100_000, keys });
      const { peak } = await server.ask<Usage>({});
      const name = `peak memory after ${requests} messages${keys ? " with keys" : ""}`;
      const value = peak / megabyte;
      // In memory, most of what is beyond is what V8 has not collected yet.
      const most = place === "memory" ? 150 : 200;
      figures.push({ group: `in ${place}`, name, value, unit: "MiB", most, detail });
      await server.stop();
    }
  }
  return figures;
}

/** A reset with the demo's accounts planted again, of an almost empty and of a full sandbox. */
export async function resets(script: string, folder: string): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const place of places) {
    for (const amount of [100, 100_000]) {
      const server = await startPinned(script, [placeIn(folder, place, `reset-${amount}`)]);
      await measure(server, { connections: 50, amount });
      const { took, cpu } = await server.ask<Timed>({ reset: true });
      const name = `reset after ${amount} messages`;
      figures.push({ group: `in ${place}`, name, value: took, unit: "ms", most: 10, detail: cpuOf(cpu) });
      await server.stop();
    }
  }
  return figures;
}

/** Thirty days over 10,000 scheduled messages: each is sent and delivered. */
export async function thirtyDays(script: string, folder: string): Promise<Figure[]> {
  const figures: Figure[] = [];
  const day = 24 * 60 * 60;
  for (const place of places) {
    const server = await startPinned(script, [placeIn(folder, place, "days"), "frozen"]);
    const amount = 10_000;
    const scheduledFrom = Date.UTC(2026, 4, 15, 12);
    const scheduled = { connections: 50, amount, scheduledEvery: (29 * day) / amount, scheduledFrom };
    const { requests } = await measure(server, scheduled);
    const { took, cpu } = await server.ask<Timed>({ advance: 30 * day * 1_000 });
    const name = `30 days over ${requests} scheduled messages`;
    figures.push({ group: `in ${place}`, name, value: took, unit: "ms", most: 1_000, detail: cpuOf(cpu) });
    await server.stop();
  }
  return figures;
}

/** The CPU time of the slowest of the largest bodies, whatever its shape. */
export async function largestBody(script: string): Promise<Figure[]> {
  let slowest: { cpu: number; large: LargeRequest } | undefined;
  for (const large of largeRequests(bodyLimits.api)) {
    const cpu = await cpuFor(script, large);
    if (slowest === undefined || cpu > slowest.cpu) slowest = { cpu, large };
  }
  if (slowest === undefined) return [];
  const { cpu, large } = slowest;
  const value = median([cpu, await cpuFor(script, large), await cpuFor(script, large)]);
  const name = `CPU for the slowest body of ${bodyLimits.api / megabyte} MiB`;
  return [{ group: "in memory", name, value, unit: "ms", most: 1_000, detail: large.name }];
}

/** Milliseconds of CPU that a request takes in a server of its own, after a small one. */
async function cpuFor(script: string, { path, body }: LargeRequest): Promise<number> {
  const server = await startPinned(script);
  await sendOne(server.url);
  const before = await server.ask<Usage>({});
  const headers = { ...requestHeaders, "idempotency-key": "large" };
  await (await fetch(server.url + path, { method: "POST", headers, body })).arrayBuffer();
  const after = await server.ask<Usage>({});
  await server.stop();
  return (after.cpu - before.cpu) / 1_000;
}
