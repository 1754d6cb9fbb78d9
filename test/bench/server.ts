// The sandbox in a process of its own. Messages to it ask for its figures, or for something that it does and measures.
import { setTimeout as wait } from "node:timers/promises";
import { startSandbox } from "../../sandbox/index.ts";

const [data, mode] = process.argv.slice(2);
const frozen = mode === "frozen";
const sandbox = await startSandbox({
  // Requests are counted as always, only with a limit that is not in the way.
  requestsPerMinute: 1e9,
  ...(data && { data }),
  ...(frozen && { clock: { frozen: true, startAt: Date.UTC(2026, 4, 15, 12) } }),
});

/** Resolves once all messages are delivered: until then they cost something. Those of the demo are due on another day. */
async function settled(): Promise<void> {
  const isDue = async (): Promise<boolean> =>
    ((await sandbox.store.nextDue()) ?? Number.POSITIVE_INFINITY) < Date.now() + 60_000;
  while (!frozen && (await isDue())) await wait(50);
}

/** @returns milliseconds, by the clock on the wall and of CPU */
async function timed(work: () => Promise<unknown>): Promise<{ took: number; cpu: number }> {
  const [start, before] = [performance.now(), process.cpuUsage()];
  await work();
  const { user, system } = process.cpuUsage(before);
  return { took: performance.now() - start, cpu: (user + system) / 1_000 };
}

process.on("message", async (asked: { advance?: number; reset?: true; settled?: true }) => {
  if (asked.advance !== undefined) {
    const milliseconds = asked.advance;
    process.send?.(await timed(() => sandbox.clock.advance(milliseconds)));
  } else if (asked.reset) {
    process.send?.(await timed(() => sandbox.reset()));
  } else {
    if (asked.settled) await settled();
    const { user, system } = process.cpuUsage();
    process.send?.({ cpu: user + system, peak: process.resourceUsage().maxRSS * 1024 });
  }
});
process.on("disconnect", () => process.exit());
process.send?.({ url: sandbox.url });
