import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Sandbox, startSandbox } from "../../sandbox/index.ts";
import { blocksIn, examples, readme } from "./examples.ts";
import { installClient, type Project } from "./installed.ts";

let project: Project;
let sandbox: Sandbox;
beforeAll(async () => {
  [project, sandbox] = await Promise.all([installClient(), startSandbox({ delays: { delivery: 0 } })]);
  for (const { code, file } of examples) await writeFile(join(project.folder, file), code);
  for (const name of ["logo.png", "invoice.pdf"]) await writeFile(join(project.folder, name), name);
}, 120_000);
afterAll(() => Promise.all([project.remove(), sandbox.close()]));

test("every code block of the README is one of these examples", () => {
  expect(examples.length).toBe(blocksIn(readme));
  expect(examples.length).toBeGreaterThan(8);
});

describe("each example runs", () => {
  test.for(examples)("$heading", { timeout: 60_000 }, async ({ file }) => {
    const env = {
      ...process.env,
      EMAIL_API_KEY: sandbox.keys["all abilities"] ?? "",
      EMAIL_API_URL: sandbox.url,
    };
    const run = promisify(execFile)(process.execPath, [file], { cwd: project.folder, env });
    const { stderr } = await run;
    expect(stderr).toBe("");
  });
});
