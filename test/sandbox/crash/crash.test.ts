import { expect, test } from "vitest";
import { temporaryFolder } from "../store/sample.ts";
import { crash } from "./rounds.ts";

test("killed five times while it works, it has lost nothing that it answered and sent nothing twice", async () => {
  const { faults, answered, sent } = await crash({ folder: temporaryFolder(), rounds: 5, seed: 4711 });
  expect(faults).toEqual({
    lost: [],
    doubled: [],
    sentTwice: [],
    takenThoughRefused: [],
    sentThoughCanceled: [],
    halfWritten: [],
    miscounted: [],
    damage: [],
  });
  expect(answered).toBeGreaterThan(0);
  expect(sent).toBeGreaterThan(0);
}, 120_000);
