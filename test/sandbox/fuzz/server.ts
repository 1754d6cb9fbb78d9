// A sandbox in a process of its own, which tells its largest memory, and advances its clock when it is asked to.
import { readFileSync } from "node:fs";
import { startSandbox } from "../../../sandbox/index.ts";

/** The largest memory of this process so far, in bytes. `maxRSS` can be that of the process which started it. */
function peak(): number {
  if (process.platform !== "linux") return process.resourceUsage().maxRSS * 1024;
  const [, kilobytes] = /VmHWM:\s+(\d+)/.exec(readFileSync("/proc/self/status", "utf8")) ?? [];
  return Number(kilobytes) * 1024;
}

const errors: string[] = [];
const sandbox = await startSandbox({
  clock: { frozen: true, startAt: Date.parse("2026-03-10T09:00:00Z") },
  onError: (error) => errors.push(String(error)),
});

process.on("message", async ({ advance }: { advance: number }) => {
  await sandbox.clock.advance(advance);
  const { user, system } = process.cpuUsage();
  process.send?.({ peak: peak(), cpu: (user + system) / 1000, errors });
});
process.on("disconnect", () => process.exit());
process.send?.({ url: sandbox.url });
