// The sandbox in a process of its own, which tells its figures and does what it is asked for by messages.
import { startSandbox } from "../../sandbox/index.ts";

const [data, frozen] = process.argv.slice(2);
const sandbox = await startSandbox({
  // Requests are counted as always, only with a limit that is not in the way.
  requestsPerMinute: 1e6,
  ...(data && { data }),
  ...(frozen && { clock: { frozen: true, startAt: Date.UTC(2026, 4, 15, 12) } }),
});

/** @returns milliseconds, by the clock on the wall and of CPU */
async function timed(work: () => Promise<unknown>): Promise<{ took: number; cpu: number }> {
  const [start, before] = [performance.now(), process.cpuUsage()];
  await work();
  const { user, system } = process.cpuUsage(before);
  return { took: performance.now() - start, cpu: (user + system) / 1_000 };
}

process.on("message", async (asked: { advance?: number; reset?: true; close?: true }) => {
  if (asked.advance !== undefined) {
    const milliseconds = asked.advance;
    process.send?.(await timed(() => sandbox.clock.advance(milliseconds)));
  } else if (asked.reset) {
    process.send?.(await timed(() => sandbox.reset()));
  } else {
    const { user, system } = process.cpuUsage();
    process.send?.({ cpu: user + system, peak: process.resourceUsage().maxRSS * 1024 });
  }
});
process.on("disconnect", () => process.exit());
process.send?.({ url: sandbox.url });
