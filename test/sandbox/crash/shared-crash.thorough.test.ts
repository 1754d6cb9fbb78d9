import { expect, test } from "vitest";
import { KilledDatabase } from "./database.ts";
import { crashShared } from "./shared-rounds.ts";

test("two instances and their database, killed while they work, lose nothing, send nothing twice and leave nothing undone", async () => {
  const database = new KilledDatabase();
  const result = await crashShared({ database, rounds: 4, databaseKills: 2, seed: 4711 });
  expect(result.faults).toEqual({
    lost: [],
    doubled: [],
    sentTwice: [],
    acceptedThoughRejected: [],
    sentThoughCanceled: [],
    halfWritten: [],
    miscounted: [],
    relayedTwice: [],
    undone: [],
    crashed: [],
  });
  expect(result.responded).toBeGreaterThan(0);
  expect(result.relayed).toBeGreaterThan(0);
  database.remove();
}, 120_000);
