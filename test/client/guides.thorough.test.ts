import { execFile } from "node:child_process";
import { mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import packageJson from "../../package.json" with { type: "json" };
import { type Sandbox, startSandbox } from "../../sandbox/index.ts";
import { root } from "../../scripts/common/paths.ts";
import { blocksIn, type Example, examplesIn, installClient, type Project } from "./installed.ts";

// The examples of both READMEs and of the guides, in a project that has the client and the contract.

const docs = (await readdir(join(root, "docs"))).filter((name) => name.endsWith(".md"));
const guides = ["README.md", "client/README.md", ...docs.map((name) => `docs/${name}`)];
const texts = await Promise.all(guides.map((guide) => readFile(join(root, guide), "utf8")));

/** Code that an example needs before it. */
const given: [needed: (code: string) => boolean, code: string][] = [
  [(code) => !code.includes("import "), 'import { createClient } from "email-api-client";\n'],
  [
    (code) => code.includes("server.clock"),
    "declare const server: { clock: { advance(milliseconds: number): Promise<void> } };\n",
  ],
];
const examples = guides.flatMap((guide, index) => {
  const found = examplesIn(texts[index] ?? "", guide.replaceAll(/\W/g, "-"));
  return found.map((example): Example => {
    const before = given.map(([needed, code]) => (needed(example.code) ? code : "")).join("");
    return { ...example, heading: `${guide}: ${example.heading}`, code: before + example.code };
  });
});

/** Adds the contract as a package of the project, linked to its sources. */
async function lendContract({ folder }: Project): Promise<void> {
  const place = join(folder, "node_modules/email-api-contract");
  await mkdir(place);
  await symlink(root, join(place, "sources"));
  const exported = {
    "./sandbox": "./sources/sandbox/index.ts",
    "./contract": "./sources/contract/config/config.ts",
  };
  // The exports of the package are compiled from these.
  expect(Object.keys(packageJson.exports)).toEqual(expect.arrayContaining(Object.keys(exported)));
  await writeFile(join(place, "package.json"), JSON.stringify({ type: "module", exports: exported }));
}

let project: Project;
let sandbox: Sandbox;
beforeAll(async () => {
  [project, sandbox] = await Promise.all([installClient(), startSandbox({ delays: { delivery: 0 } })]);
  await lendContract(project);
  for (const name of ["logo.png", "invoice.pdf"]) await writeFile(join(project.folder, name), name);
  for (const { code, file } of examples)
    await writeFile(join(project.folder, file), code.replaceAll("https://api.example.com", sandbox.url));
}, 120_000);
afterAll(() => Promise.all([project.remove(), sandbox.close()]));

test("every code block is one of these examples", () => {
  expect(examples.length).toBeGreaterThan(12);
  expect(examples).toHaveLength(texts.reduce((sum, text) => sum + blocksIn(text), 0));
});

test("the examples compile", { timeout: 120_000 }, async () => {
  const options = {
    target: "es2024",
    lib: ["es2024", "esnext.array", "esnext.iterator"],
    allowImportingTsExtensions: true,
    resolveJsonModule: true,
    skipLibCheck: true,
  };
  expect(await project.check("TypeScript 7", options)).toBe("");
});

describe("each example runs", () => {
  test.for(examples)("$heading", { timeout: 60_000 }, async ({ file }) => {
    const env = {
      ...process.env,
      EMAIL_API_KEY: sandbox.keys["all abilities"] ?? "",
      EMAIL_API_URL: sandbox.url,
    };
    const { stderr } = await promisify(execFile)(process.execPath, [file], { cwd: project.folder, env });
    expect(stderr).toBe("");
  });
});
