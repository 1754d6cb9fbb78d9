import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { openPostOffice } from "./post-office.ts";
import { startSmtpHost } from "./smtp-host.ts";

const rounds = 5;
const victim = fileURLToPath(new URL("relay-process.ts", import.meta.url));
const day = 24 * 60 * 60 * 1000;

/** Runs a process until it has told of so many messages and a little longer, then kills it. @returns the ids that it told of */
async function runAndKill(args: string[], after: number, milliseconds: number): Promise<string[]> {
  const child = spawn(process.execPath, [victim, ...args], { stdio: ["ignore", "pipe", "inherit"] });
  const told: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    told.push(line);
    if (told.length === after) {
      await pause(milliseconds);
      child.kill("SIGKILL");
    }
  }
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  return told;
}

test(`after ${rounds} times kill -9, every accepted message arrived once, or is in doubt and arrived at most once`, async () => {
  const data = mkdtempSync(path.join(tmpdir(), "sandbox-crash-"));
  // A server that takes a moment: a good part of the kills then comes while it has the message and has not responded.
  const host = await startSmtpHost({ message: () => pause(5) as Promise<undefined> });
  const taken: string[] = [];
  for (let round = 0; round < rounds; round++) {
    const after = 1 + Math.floor(Math.random() * 39);
    taken.push(...(await runAndKill([data, host.url, String(round)], after, Math.random() * 150)));
  }
  const office = await openPostOffice({ data, smtp: host.url, running: true });
  await office.clock.advance(day);
  const arrived = Map.groupBy(host.received, ({ source }) => /^Message-ID: <(.+)@/m.exec(source)?.[1] ?? "");
  for (const [id, times] of arrived) expect({ id, times: times.length }).toEqual({ id, times: 1 });
  const counts = { taken: taken.length, once: 0, doubt: 0 };
  for (const id of taken) {
    const { status, events } = await office.read(id);
    const times = arrived.get(id)?.length ?? 0;
    if (status === "delivered") counts.once += 1;
    else counts.doubt += 1;
    expect({ id, times }).toEqual({ id, times: status === "delivered" ? 1 : Math.min(times, 1) });
    if (status !== "delivered") expect(events.at(-1)?.type).toBe("relay_unknown");
  }
  console.log(
    `killed ${rounds} times: ${counts.taken} taken, ${counts.once} arrived once, ${counts.doubt} in doubt, 0 twice, 0 lost`,
  );
  await office.end();
  await host.close();
  rmSync(data, { recursive: true });
}, 120_000);
