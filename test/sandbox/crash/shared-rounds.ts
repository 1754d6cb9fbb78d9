import { setTimeout as wait } from "node:timers/promises";
import type { Store } from "../../../sandbox/domain/store.ts";
import { openPostgres } from "../../../sandbox/store/postgres/open.ts";
import { ownStore } from "../../../sandbox/store/stores.ts";
import { check, everyMessage } from "./check.ts";
import type { KilledDatabase } from "./database.ts";
import { Instance } from "./instances.ts";
import { checkRelayed, startRecipient } from "./relayed.ts";
import { callWithRetries } from "./retrying-callers.ts";
import { chance, type Work } from "./work.ts";

export interface SharedCrashOptions {
  database: KilledDatabase;
  /** How often an instance is killed. */
  rounds: number;
  /** How often the database is killed. */
  databaseKills: number;
  /** Decides what is killed when, and what is sent. */
  seed: number;
  onKill?: (kills: number, works: readonly Work[]) => void;
}

/** From one kill to the next, in milliseconds. */
const shortest = 100;
const longest = 1_500;

/** A claim lasts 30 seconds, others look every 2 seconds, and a lost connection is opened again within 2. */
const longestLease = 35_000;

/** Longer than any claim or scheduled message of the run, in milliseconds. */
const soon = 120_000;

/** Kills two instances and their database again and again while they work. Ends once nothing is due, and compares. */
export async function crashShared(options: SharedCrashOptions) {
  const { database, seed } = options;
  const url = await database.start();
  const smtp = await startRecipient();
  const instances = [new Instance(url, smtp.url), new Instance(url, smtp.url)];
  const random = chance(seed);
  const works: Work[] = [];
  const over = new AbortController();
  const listening = () => instances.filter((instance) => instance.url !== undefined);
  const calls = callWithRetries({
    url: () => oneOf(listening(), random)?.url,
    ...{ random, works, signal: over.signal },
  });
  try {
    await Promise.race([killAll(options, instances, works), calls.then(() => {})]);
    over.abort();
    const retries = await calls;
    const stores = await openPostgres(url);
    const store = await stores.open(ownStore);
    const settledIn = await nothingDue(store);
    const messages = await everyMessage(store);
    const found = await check(store, messages, works);
    const mail = checkRelayed(messages, smtp.arrivals);
    await store.close();
    await stores.close();
    const crashed = instances.flatMap(({ crashes }) => crashes);
    return {
      ...{ started: works.length, responded: works.filter(({ ids }) => ids !== undefined).length, retries },
      ...{ canceled: works.filter(({ canceled }) => canceled).length, messages: messages.length },
      ...{ sent: found.sent, relayed: mail.relayed },
      ...{ longestWait: mail.longestWait, settledIn },
      faults: { ...found.faults, ...mail.faults, crashed },
    };
  } finally {
    over.abort();
    await Promise.all([...instances.map((instance) => instance.close()), smtp.close()]);
    await calls.catch(() => {});
    await database.close();
  }
}

async function killAll(
  { rounds, databaseKills, database, seed, onKill }: SharedCrashOptions,
  instances: Instance[],
  works: readonly Work[],
): Promise<void> {
  const random = chance(seed + 1);
  let left = { instances: rounds, databases: databaseKills };
  for (let kills = 1; left.instances + left.databases > 0; kills += 1) {
    // Mostly both work when one is killed.
    if (random() < 0.8) await bothListening(instances);
    await wait(shortest + random() * (longest - shortest));
    if (random() * (left.instances + left.databases) < left.databases) {
      left = { ...left, databases: left.databases - 1 };
      await database.restart();
    } else {
      left = { ...left, instances: left.instances - 1 };
      (await listeningOne(instances, random)).kill();
    }
    onKill?.(kills, works);
  }
}

async function bothListening(instances: Instance[]): Promise<void> {
  while (instances.some(({ url }) => url === undefined)) await wait(10);
}

async function listeningOne(instances: Instance[], random: () => number): Promise<Instance> {
  for (;;) {
    const found = oneOf(
      instances.filter(({ url }) => url !== undefined),
      random,
    );
    if (found !== undefined) return found;
    await wait(10);
  }
}

const oneOf = <Item>(items: readonly Item[], random: () => number): Item | undefined =>
  items[Math.floor(random() * items.length)];

/** Waits until nothing is due any more but the scheduled message of the seed, at most for a lease. @returns the milliseconds that it took */
async function nothingDue(store: Pick<Store, "nextDue">): Promise<number> {
  const start = performance.now();
  const waited = () => performance.now() - start;
  const isDueSoon = async () => ((await store.nextDue()) ?? Number.POSITIVE_INFINITY) < Date.now() + soon;
  while ((await isDueSoon()) && waited() < longestLease) await wait(100);
  return Math.round(waited());
}
