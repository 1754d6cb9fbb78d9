import { expect, it } from "vitest";
import { allMutants } from "../all-mutants.ts";
import { firstChange, transcripts } from "../rig/transcript.ts";

it("has the same responses on two sandboxes", async () => {
  expect(await transcripts()).toEqual(await transcripts());
});

it("each mutant of one path changes a response", async () => {
  const expected = await transcripts();
  const idle: string[] = [];
  for (const fault of (await allMutants()).filter(({ isOfOnePath }) => isOfOnePath))
    if ((await firstChange(fault, expected)) === undefined) idle.push(`${fault.requirement} ${fault.title}`);
  expect(idle).toEqual([]);
}, 600_000);
