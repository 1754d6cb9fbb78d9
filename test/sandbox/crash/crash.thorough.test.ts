import { expect, test } from "vitest";
import { temporaryFolder } from "../store/sample.ts";
import { crash } from "./rounds.ts";

test("killed five times while it works, it has lost nothing that it confirmed and sent nothing twice", async () => {
  const { faults, responded, sent } = await crash({ folder: temporaryFolder(), rounds: 5, seed: 4711 });
  expect(faults).toEqual({
    lost: [],
    doubled: [],
    sentTwice: [],
    acceptedThoughRejected: [],
    sentThoughCanceled: [],
    halfWritten: [],
    miscounted: [],
    damage: [],
  });
  expect(responded).toBeGreaterThan(0);
  expect(sent).toBeGreaterThan(0);
}, 120_000);
