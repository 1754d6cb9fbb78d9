import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Figure } from "./figures.ts";
import { median, sendOne } from "./measure.ts";

const root = new URL("../../", import.meta.url).pathname;

/** Milliseconds from `npm run sandbox` to its first response; the median of several starts, after one that fills the caches. */
export async function startCommand(): Promise<Figure[]> {
  await startOnce();
  const times = [
    await startOnce(),
    await startOnce(),
    await startOnce(),
    await startOnce(),
    await startOnce(),
  ];
  const name = "npm run sandbox to the first response";
  return [{ group: "the program", name, value: median(times), unit: "ms", most: 500 }];
}

async function startOnce(): Promise<number> {
  const start = performance.now();
  // A group of its own: npm does not pass SIGKILL on.
  const npm = spawn("npm", ["run", "--silent", "sandbox", "--", "--port", "0", "--quiet"], {
    cwd: root,
    detached: true,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(npm, "exit");
  try {
    const [url] = (await once(createInterface(npm.stdout), "line")) as [string];
    await sendOne(url);
    return performance.now() - start;
  } finally {
    process.kill(-(npm.pid ?? 0), "SIGKILL");
    await ended;
  }
}
