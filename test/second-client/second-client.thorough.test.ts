import { expect, it } from "vitest";
import { runSecondClient } from "./run.ts";

it("a client that is independent of the project's own client passes the profile full", async () => {
  expect(await runSecondClient("full")).toEqual([]);
}, 120_000);
