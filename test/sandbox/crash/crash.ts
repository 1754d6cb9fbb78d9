import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import { openStore } from "../../../sandbox/store/open.ts";
import { startSmtpHost } from "../mail/smtp-host.ts";
import { type Faults, faultsOf } from "./check.ts";
import { randomNumbers, runClients, type Work } from "./clients.ts";

interface CrashOptions {
  /** A folder, or the URL of a PostgreSQL database. */
  data: string;
  /** How many instances share it. */
  instances: number;
  /** How often one of them is killed. */
  rounds: number;
  /** Decides what is killed when, and what is sent. */
  seed: number;
  onRound?: (round: number, requests: number) => void;
}

interface CrashResult {
  requests: number;
  canceled: number;
  messages: number;
  relayed: number;
  faults: Faults & { ended: string[] };
}

/** From one kill to the next, in milliseconds. */
const shortest = 50;
const longest = 1_000;

/** Longer than any scheduled message of a client waits; the seed has one that waits for days. In milliseconds. */
const soon = 60_000;

/** Kills instances again and again while they work. Ends once nothing is due, and compares. */
export async function crash({ data, instances, rounds, seed, onRound }: CrashOptions): Promise<CrashResult> {
  const arrived: string[] = [];
  const smtp = await startSmtpHost({
    message({ source }) {
      arrived.push(/^Message-ID: <(.+)@/m.exec(source)?.[1] ?? "");
      return undefined;
    },
  });
  const random = randomNumbers(seed);
  const works: Work[] = [];
  const over = new AbortController();
  const all: Instance[] = [];
  for (let count = 0; count < instances; count += 1) all.push(await Instance.start(data, smtp.url));
  const listening = (): Instance[] => all.filter(({ url }) => url !== undefined);
  const oneOf = (found: Instance[]): Instance | undefined => found[Math.floor(random() * found.length)];
  const clients = runClients({
    url: () => oneOf(listening())?.url,
    ...{ random, works, signal: over.signal },
  });
  const killing = async (): Promise<void> => {
    for (let round = 1; round <= rounds; round += 1) {
      await wait(shortest + random() * (longest - shortest));
      await oneOf(all)?.restart();
      onRound?.(round, works.length);
    }
  };
  try {
    await Promise.race([killing(), clients]);
    over.abort();
    await clients;
    await nothingDue(all[0]?.url ?? "");
  } finally {
    over.abort();
    await Promise.all(all.map((instance) => instance.close()));
    await smtp.close();
  }
  const { store } = await openStore({ data });
  const messages = await store.messages({ limit: Number.MAX_SAFE_INTEGER });
  const faults = await faultsOf(store, messages, works, arrived);
  await store.close();
  return {
    ...{ requests: works.length, canceled: works.filter(({ canceled }) => canceled).length },
    ...{ messages: messages.length, relayed: arrived.length },
    faults: { ...faults, ended: all.flatMap(({ unexpected }) => unexpected) },
  };
}

/** Waits until nothing is due soon, but not forever. */
async function nothingDue(url: string): Promise<void> {
  for (const end = performance.now() + soon; performance.now() < end; await wait(100)) {
    const clock = (await (await fetch(`${url}/sandbox/clock`)).json()) as { next_due_at: string | null };
    if (clock.next_due_at === null || Date.parse(clock.next_due_at) > Date.now() + soon) return;
  }
}

/** A sandbox in a process of its own. */
class Instance {
  readonly #parameters: string[];
  #child: ChildProcess | undefined;
  /** Undefined while it does not listen. */
  url: string | undefined;
  /** How it ended without being killed. */
  readonly unexpected: string[] = [];

  private constructor(parameters: string[]) {
    this.#parameters = parameters;
  }

  static async start(data: string, smtp: string): Promise<Instance> {
    const instance = new Instance([data, smtp]);
    await instance.#start();
    return instance;
  }

  async restart(): Promise<void> {
    await this.close();
    await this.#start();
  }

  async close(): Promise<void> {
    this.url = undefined;
    if (this.#child === undefined || this.#child.exitCode !== null) return;
    const ended = once(this.#child, "exit");
    this.#child.kill("SIGKILL");
    await ended;
  }

  async #start(): Promise<void> {
    const script = new URL("./server.ts", import.meta.url).pathname;
    const child = fork(script, this.#parameters, { stdio: ["ignore", "ignore", "inherit", "ipc"] });
    child.on("exit", (status) => {
      if (status !== null) this.unexpected.push(`an instance ended with ${status}`);
    });
    const ended = once(child, "exit").then(([status]) => {
      throw new Error(`an instance ended with ${status} before it listened`);
    });
    this.#child = child;
    const [started] = await Promise.race([once(child, "message"), ended]);
    this.url = (started as { url: string }).url;
  }
}

export const isFaulty = (faults: object): boolean => Object.values(faults).some((list) => list.length > 0);
