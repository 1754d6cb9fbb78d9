import { expect, it } from "vitest";
import { onePathMutants } from "../all-mutants.ts";
import { firstChange, transcript } from "../rig/transcript.ts";

it("is the same walk on two sandboxes", async () => {
  expect(await transcript()).toEqual(await transcript());
});

it("each mutant of one path changes a response", async () => {
  const expected = await transcript();
  const idle: string[] = [];
  for (const fault of await onePathMutants())
    if ((await firstChange(fault, expected)) === undefined) idle.push(`${fault.requirement} ${fault.title}`);
  expect(idle).toEqual([]);
}, 600_000);
