import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { operations } from "../../../generated/operations.ts";
import { installClient, type Project } from "../../client/installed.ts";
import { given } from "./given.ts";
import { inLanes, need, type Outcome, type Run, runSample } from "./run.ts";
import { filesThere, folderOf, readSamples, type Sample, sampleFiles } from "./samples.ts";

// Every sample of the reference is run as it stands, as a process of its own, against a sandbox.

const samples = await readSamples();
const named = samples.map((sample) => [`${folderOf(sample.operation.id)}/${sample.file}`, sample] as const);

const outcomes = new Map<Sample, Outcome>();
const outcomeOf = (sample: Sample): Outcome => {
  const outcome = outcomes.get(sample);
  if (outcome === undefined) throw new Error("The sample was not run.");
  return outcome;
};

let project: Project;
beforeAll(async () => {
  await Promise.all(["curl", "python3"].map(need));
  project = await installClient();
  await inLanes(2, samples, async (sample) => {
    outcomes.set(sample, await runSample(sample, project.folder));
  });
}, 120_000);
afterAll(() => project?.remove());

test("every operation has its samples, and there is nothing else", async () => {
  const wanted = Object.keys(operations).flatMap((id) =>
    sampleFiles.map((file) => `${folderOf(id)}/${file}`),
  );
  expect(await filesThere()).toEqual(wanted.sort());
});

test("what is given stands in the samples", () => {
  for (const { operation, file, code } of samples.filter(({ file }) => file === "curl.sh"))
    for (const text of Object.keys(given[operation.id] ?? {})) expect(code, file).toContain(text);
});

test("the TypeScript of the samples compiles", { timeout: 60_000 }, async () => {
  for (const [name, { file, code }] of named)
    if (file.endsWith(".ts")) await writeFile(join(project.folder, name.replace("/", ".")), code);
  expect(await project.check("TypeScript 7", { skipLibCheck: true })).toBe("");
});

describe.for(named)("%s", ([, sample]) => {
  test("is short, and names the address and the key once", () => {
    expect(sample.code.trimEnd().split("\n").length).toBeLessThanOrEqual(25);
    expect(sample.code.split("https://api.example.com")).toHaveLength(2);
    expect(sample.code.split("EMAIL_API_KEY")).toHaveLength(2);
  });

  test("makes its call, and says what came of it", () => {
    const { status, stdout, stderr, calls } = outcomeOf(sample).right;
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(stdout.trim()).not.toBe("");
    expect(calls).toEqual([expect.objectContaining({ method: sample.operation.method, errorType: null })]);
    expect(calls[0]?.path).toMatch(addressOf(sample));
    expect(String(calls[0]?.status)).toMatch(/^2/);
  });

  test("fails with a key that does not work, and says so", () => {
    const { status, stdout, stderr, calls }: Run = outcomeOf(sample).wrong;
    expect(status).not.toBe(0);
    expect(stdout + stderr).toContain("unauthorized");
    expect(calls.map((call) => call.status)).toEqual([401]);
  });
});

/** The addresses of an operation; what fills its open places is encoded. */
const addressOf = ({ operation }: Sample): RegExp =>
  new RegExp(`^${operation.path.replaceAll(/\{\w+\}/g, "[\\w.%-]+")}$`);
