import { expect, test } from "vitest";
import { newDatabase } from "../../postgres/databases.ts";
import { temporaryFolder } from "../../temporary-folder.ts";
import { crash, isFaulty } from "./crash.ts";

test.each([
  ["a sandbox on SQLite", async () => temporaryFolder(), 1],
  ["two instances on PostgreSQL", newDatabase, 2],
])(
  "%s, killed while it works, loses nothing that it accepted and sends nothing twice",
  async (_, data, instances) => {
    const { faults, messages, relayed } = await crash({
      data: await data(),
      instances,
      rounds: 5,
      seed: 4711,
    });
    expect(isFaulty(faults), JSON.stringify(faults)).toBe(false);
    expect(messages).toBeGreaterThan(0);
    expect(relayed).toBeGreaterThan(0);
  },
);
