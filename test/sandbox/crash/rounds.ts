import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { call } from "./callers.ts";
import { checkFolder, type Faults } from "./check.ts";
import { chance, type Work } from "./work.ts";

export interface CrashOptions {
  folder: string;
  rounds: number;
  /** Decides when it is killed and what is sent. */
  seed: number;
  /** Told after each round. */
  onRound?: (round: number, result: CrashResult) => void;
}

export interface CrashResult {
  /** Pieces of work that were sent, and those of them that got a response. */
  started: number;
  responded: number;
  /** Repeated requests that got a response before, or whose response the kill cut off. */
  repeated: number;
  canceled: number;
  /** Messages that are there, and those that went out. */
  messages: number;
  sent: number;
  faults: Faults;
}

const serverScript = new URL("./server.ts", import.meta.url).pathname;

/** How long a server lives under load before it is killed, in milliseconds. */
const shortest = 50;
const longest = 1_000;

/** Kills a sandbox again and again while it works, and looks each time whether what it had promised is there. Ends with the first round that finds a fault. */
export async function crash({ folder, rounds, seed, onRound }: CrashOptions): Promise<CrashResult> {
  const random = chance(seed);
  const works: Work[] = [];
  let repeated = 0;
  for (let round = 1; ; round += 1) {
    const again = works.filter((work) =>
      work.ids === undefined ? !work.rejected : random() < 20 / works.length,
    );
    const before = again.length;
    await oneRound(folder, works, again, random);
    repeated += before - again.length;
    const found = await checkFolder(folder, works);
    const responded = works.filter((work) => work.ids !== undefined).length;
    const canceled = works.filter((work) => work.canceled).length;
    const result = { started: works.length, responded, repeated, canceled, ...found };
    onRound?.(round, result);
    if (round >= rounds || isFaulty(result.faults)) return result;
  }
}

export const isFaulty = (faults: object): boolean => Object.values(faults).some((list) => list.length > 0);

async function oneRound(folder: string, works: Work[], again: Work[], random: () => number): Promise<void> {
  const server = fork(serverScript, [folder]);
  const ended = once(server, "exit");
  const { url, now: start } = await firstWords(server);
  let now = start;
  server.on("message", (said: { now: number }) => {
    now = said.now;
  });
  const over = new AbortController();
  const calls = call({
    url,
    now: () => now,
    random,
    nextNumber: () => works.length,
    again,
    started: (work) => works.push(work),
    signal: over.signal,
  });
  setTimeout(() => server.kill("SIGKILL"), shortest + random() * (longest - shortest));
  await ended;
  over.abort();
  await calls;
}

/** What the server says once it listens. */
export async function firstWords(server: ChildProcess): Promise<{ url: string; now: number }> {
  const ended = once(server, "exit").then(([status]) => {
    throw new Error(`the server ended with ${status} before it listened`);
  });
  const [said] = await Promise.race([once(server, "message"), ended]);
  return said as { url: string; now: number };
}
