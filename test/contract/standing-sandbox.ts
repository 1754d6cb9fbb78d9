import { onTestFinished } from "vitest";
import { type Sandbox, startSandbox } from "../../sandbox/index.ts";
import { demoSandbox } from "../mutants/demo.ts";
import { type VirtualTime, virtualTime } from "../mutants/virtual-time.ts";

/** A sandbox for the test, and a clock that also advances the sandbox. */
export async function standingSandbox(): Promise<{ sandbox: Sandbox; time: VirtualTime }> {
  const start = Date.now();
  const sandbox = await startSandbox({ ...demoSandbox(), clock: { frozen: true, startAt: start } });
  onTestFinished(() => sandbox.close());
  const time = virtualTime({ start, pass: (milliseconds) => sandbox.clock.advance(milliseconds) });
  return { sandbox, time };
}
