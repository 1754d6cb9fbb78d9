import { fileURLToPath } from "node:url";
import type { Profile } from "../../test/contract/settings.ts";
import { startMock } from "../mock.ts";

/** The servers that the toolkit can start itself to run the suite on. */
export const targetNames = ["sandbox", "mock"] as const;
export type TargetName = (typeof targetNames)[number];

/** A server that was started to be tested, with what the suite has to know of it. */
export interface Target {
  url: string;
  profile: Profile;
  /** The key to call with, where it does not take any. */
  key?: string;
  close(): Promise<void>;
}

/** Starts one of the toolkit's own servers on a free port. */
export const startTarget = (name: TargetName): Promise<Target> =>
  name === "mock" ? startMock().then((mock) => ({ ...mock, profile: "mock" })) : startExamples();

/**
 * A sandbox with the account of the document's examples. Its clock stands still where the times of the examples lie ahead, and its
 * account may make more calls in a minute than the service's limit, since the suite makes hundreds.
 */
async function startExamples(): Promise<Target> {
  const { startSandbox } = await import("../../sandbox/index.ts");
  const { url, close } = await startSandbox({
    seed: fileURLToPath(new URL("../../sandbox/seed/examples.json", import.meta.url)),
    clock: { frozen: true, startAt: Date.parse("2026-12-05T09:00:00Z") },
    requestsPerMinute: 100_000,
  });
  return { url, key: "sandbox_examples_5e1d", profile: "examples", close };
}
