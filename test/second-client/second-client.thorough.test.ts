import { expect, it } from "vitest";
import { missingPython, runSecondClient } from "./run.ts";

it("a client that is independent of the project's own client passes the profile full", async ({ skip }) => {
  const missing = missingPython();
  skip(missing !== undefined, missing);
  expect(await runSecondClient()).toEqual([]);
}, 120_000);
