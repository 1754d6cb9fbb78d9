import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import pLimit from "p-limit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { installClient, type Project } from "../../client/installed.ts";
import { type Outcome, requireProgram, runSample } from "./run.ts";
import { readSamples, type Sample, sampleNames } from "./samples.ts";

// Runs every sample as a process against a sandbox.

const samples = await readSamples();
const named = samples.map((sample) => [sample.name, sample] as const);

const outcomes = new Map<Sample, Outcome>();
const outcomeOf = (sample: Sample): Outcome => {
  const outcome = outcomes.get(sample);
  if (outcome === undefined) throw new Error("The sample was not run.");
  return outcome;
};

let project: Project;
beforeAll(async () => {
  await Promise.all(["curl", "python3"].map(requireProgram));
  project = await installClient();
  const limit = pLimit(2);
  await limit.map(samples, async (sample) => {
    outcomes.set(sample, await runSample(sample, project.folder));
  });
}, 120_000);
afterAll(() => project?.remove());

test("every operation has its samples, and there are no other files", async () => {
  expect(await sampleNames()).toEqual(samples.map(({ name }) => name).sort());
});

test("the TypeScript of the samples compiles", { timeout: 60_000 }, async () => {
  for (const [name, { file, code }] of named)
    if (file.endsWith(".ts")) await writeFile(join(project.folder, name.replace("/", ".")), code);
  expect(await project.check("TypeScript 7", { skipLibCheck: true })).toBe("");
});

describe.for(named)("%s", ([, sample]) => {
  test("is short, and has the base URL and the key once", () => {
    expect(sample.code.trimEnd().split("\n").length).toBeLessThanOrEqual(25);
    expect(sample.code.split("https://api.example.com")).toHaveLength(2);
    expect(sample.code.split("EMAIL_API_KEY")).toHaveLength(2);
  });

  test("sends its request and prints the result", () => {
    const { exitCode, stdout, stderr, requests } = outcomeOf(sample).valid;
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    expect(stdout.trim()).not.toBe("");
    expect(requests).toEqual([expect.objectContaining({ method: sample.operation.method, errorType: null })]);
    expect(requests[0]?.path).toMatch(pathOf(sample));
    expect(String(requests[0]?.status)).toMatch(/^2/);
  });

  test("fails with an invalid key and prints the error", () => {
    const { exitCode, stdout, stderr, requests } = outcomeOf(sample).invalid;
    expect(exitCode).not.toBe(0);
    expect(stdout + stderr).toContain("unauthorized");
    expect(requests.map(({ status }) => status)).toEqual([401]);
  });
});

/** The paths of an operation with encoded path parameters, and any query. */
const pathOf = ({ operation }: Sample): RegExp =>
  new RegExp(`^${operation.path.replaceAll(/\{\w+\}/g, "[\\w.%-]+")}(\\?.*)?$`);
