import { availableParallelism } from "node:os";
import { startPostgres } from "../postgres/server.ts";
import { type Child, cpuOfDescendants, startServer, type Usage } from "./child.ts";
import type { Figure } from "./figures.ts";
import { type Load, median, sendLoad } from "./measure.ts";

/** What all instances together did under a load, and the CPU per request of the instances and of the database, in microseconds. */
interface Shared {
  rate: number;
  p99: number;
  failed: number;
  cpu: number;
  database: number;
}

interface Round {
  floor: Shared;
  one: Shared;
  two: Shared;
}

/** Two instances should do at least so many times what one does. */
const scaling = 1.5;

/** For each instance, the database and the load generator; with fewer, two instances share what one has. */
const hasEnoughCores = availableParallelism() >= 4;

interface Options {
  load: Load;
  rounds: number;
}

/**
 * One instance on an embedded database, two on another, and the floor. Nothing is pinned: instances, databases and load generators share
 * all cores, as they do on one machine.
 */
export async function onPostgres(
  script: string,
  floorScript: string,
  { load, rounds }: Options,
): Promise<Figure[]> {
  const servers: Child[] = [];
  const databases: Awaited<ReturnType<typeof startPostgres>>[] = [];
  const start = async (...parameters: Parameters<typeof startServer>): Promise<Child> => {
    const server = await startServer(...parameters);
    servers.push(server);
    return server;
  };
  const newDatabase = async (): Promise<string> => {
    const database = await startPostgres();
    databases.push(database);
    return database.url;
  };
  try {
    const floor = [await start(floorScript)];
    const one = [await start(script, [await newDatabase()])];
    const shared = await newDatabase();
    const two = [await start(script, [shared]), await start(script, [shared])];
    for (const instances of [one, two]) await measureShared(instances, load);
    const all: Round[] = [];
    for (let round = 0; round < rounds; round += 1)
      all.push({
        floor: await measureShared(floor, load),
        one: await measureShared(one, load),
        two: await measureShared(two, load),
      });
    return figuresOf(all);
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
    await Promise.all(databases.map((database) => database.close()));
  }
}

/** Each instance gets the whole load: one with fewer requests at once has smaller groups of them, which cost more each. */
async function measureShared(instances: readonly Child[], load: Load): Promise<Shared> {
  const cpuOfAll = async (asked = {}): Promise<number> => {
    const usages = await Promise.all(instances.map((instance) => instance.ask<Usage>(asked)));
    return usages.reduce((sum, { cpu }) => sum + cpu, 0);
  };
  const before = { cpu: await cpuOfAll(), database: cpuOfDescendants("postgres") };
  const results = await Promise.all(instances.map(({ url }) => sendLoad(url, load, undefined)));
  // Until all messages are delivered: otherwise the next measurement would have that work.
  const after = { cpu: await cpuOfAll({ settled: true }), database: cpuOfDescendants("postgres") };
  const requests = results.reduce((sum, result) => sum + result.requests, 0);
  return {
    rate: results.reduce((sum, result) => sum + result.requests / result.seconds, 0),
    p99: Math.max(...results.map(({ p99 }) => p99)),
    failed: results.reduce((sum, { failed }) => sum + failed, 0),
    cpu: (after.cpu - before.cpu) / requests,
    database: (after.database - before.database) / requests,
  };
}

function figuresOf(rounds: readonly Round[]): Figure[] {
  const middle = (figure: (round: Round) => number): number => median(rounds.map(figure));
  const rates = (name: "floor" | "one" | "two"): string => middle((round) => round[name].rate).toFixed(0);
  const costs = (name: "one" | "two"): string =>
    `${middle((round) => round[name].cpu).toFixed(0)} us, database ${middle((round) => round[name].database).toFixed(0)} us`;
  const one = "on PostgreSQL, one instance, on the same cores as the database";
  const two = "on PostgreSQL, two instances";
  const failed = (name: "one" | "two"): number => rounds.reduce((sum, round) => sum + round[name].failed, 0);
  return [
    {
      ...{ group: one, name: "rate, of the floor's" },
      value: middle((round) => round.one.rate / round.floor.rate),
      detail: `${rates("one")} of ${rates("floor")} a second`,
    },
    {
      ...{ group: one, name: "floor's CPU per request, of the instance's", least: 0.05 },
      value: middle((round) => round.floor.cpu / round.one.cpu),
      detail: costs("one"),
    },
    { group: one, name: "p99 at saturation", value: middle((round) => round.one.p99), unit: "ms" },
    { group: one, name: "requests that failed", value: failed("one"), most: 0 },
    {
      ...{ group: two, name: "rate, of one instance's, on these cores" },
      ...(hasEnoughCores && { least: scaling }),
      value: middle((round) => round.two.rate / round.one.rate),
      detail: `${rates("two")} of ${rates("one")} a second`,
    },
    {
      // An instance uses one core at most: with a core for each, and enough for the database, two do twice as much at the same cost.
      ...{ group: two, name: "estimate from CPU, with a core for each, of one's", least: scaling },
      value: middle((round) => (2 * round.one.cpu) / round.two.cpu),
      detail: costs("two"),
    },
    { group: two, name: "p99 at saturation", value: middle((round) => round.two.p99), unit: "ms" },
    { group: two, name: "requests that failed", value: failed("two"), most: 0 },
  ];
}
