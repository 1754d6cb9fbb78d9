import { execFile } from "node:child_process";
import { copyFile, mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Sandbox, startSandbox } from "../../../sandbox/index.ts";
import { generatedFolder, root } from "../../../scripts/common/paths.ts";
import { temporaryFolder } from "../../temporary-folder.ts";
import { blocksOf, pages } from "./pages.ts";

// Generates, compiles and runs the client of docs/generating-a-client.md in a separate project.

const page = pages.find(({ name }) => name === "docs/generating-a-client.md");
const [sending = "", persistent = ""] = (page === undefined ? [] : blocksOf(page))
  .filter(({ language }) => language === "typescript")
  .map(({ code }) => code);

/** What the compiler rejects and accepts according to the guide. */
const mistakes = `import createClient from "openapi-fetch";
import type { paths } from "./email-api.d.ts";

const api = createClient<paths>({ baseUrl: "" });
const message = { from: "hello@bakery.example", to: ["ada@readers.example"] };
// @ts-expect-error no subject
api.POST("/api/v1/emails", { body: { ...message, text: "Hello" } });
// @ts-expect-error no list
api.POST("/api/v1/emails", { body: { ...message, to: "ada@readers.example", subject: "Hello", text: "Hello" } });
api.POST("/api/v1/emails", { body: { ...message, subject: "Hello", text: "Hello", replyto: "misspelt" } });
api.POST("/api/v1/emails", { body: { ...message, subject: "Hello" } });
`;

const packages = ["openapi-fetch", "openapi-typescript-helpers", "@types"];
const program = (path: string, ...args: string[]) =>
  promisify(execFile)(process.execPath, [join(root, "node_modules", path), ...args], { cwd: folder });

const folder = temporaryFolder(afterAll);
let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
  await mkdir(join(folder, "node_modules"));
  for (const name of packages)
    await symlink(join(root, "node_modules", name), join(folder, "node_modules", name));
  await copyFile(join(generatedFolder, "openapi.json"), join(folder, "openapi.json"));
  await copyFile(join(generatedFolder, "errors.ts"), join(folder, "errors.ts"));
  const files = {
    "package.json": '{ "type": "module" }',
    "first.ts": sending,
    "persistent.ts": persistent,
    "mistakes.ts": mistakes,
    "both.ts": sending
      .replace("  headers:", "  fetch: fetchWithRetries,\n  headers:")
      .replace(/^/, 'import { fetchWithRetries } from "./persistent.ts";\n')
      .replace("order-7315-ready", "order-7316-ready"),
  };
  for (const [name, text] of Object.entries(files))
    await writeFile(join(folder, name), text.replaceAll("https://api.example.com", sandbox.url));
  await program("openapi-typescript/bin/cli.js", "openapi.json", "-o", "email-api.d.ts");
}, 60_000);
afterAll(() => sandbox.close());

const run = async (file: string): Promise<string> => {
  const env = { ...process.env, EMAIL_API_KEY: sandbox.keys["all abilities"] };
  const { stdout } = await promisify(execFile)(process.execPath, [file], { cwd: folder, env });
  return stdout;
};

test("the programs of the guide compile, and its mistakes are rejected", {
  timeout: 60_000,
}, async () => {
  expect(sending).toContain("createClient");
  expect(persistent).toContain("fetchWithRetries");
  const options = ["--strict", "--noUncheckedIndexedAccess", "--exactOptionalPropertyTypes", "--noEmit"];
  const modern = [
    "--target",
    "es2024",
    "--module",
    "nodenext",
    "--allowImportingTsExtensions",
    "--skipLibCheck",
  ];
  const files = ["first.ts", "both.ts", "mistakes.ts"];
  await program("typescript7/bin/tsc", ...options, ...modern, "--types", "node", ...files);
});

test("the generated client sends a message", async () => {
  expect(await run("first.ts")).toMatch(/^msg_/);
});

test("it handles a 500 without a body", async () => {
  await sandbox.failures.add({ kind: "status", status: 500, body: false }, 1);
  expect(await run("first.ts")).toMatch(/^500 /);
});

test("with the fetch of the guide it retries and sends once", async () => {
  const before = (await sandbox.outbox.messages()).length;
  await sandbox.failures.add({ kind: "status", status: 500, body: false }, 1);
  await sandbox.failures.add({ kind: "status", status: 503, body: true }, 1);
  expect(await run("both.ts")).toMatch(/^msg_/);
  expect(await sandbox.outbox.messages()).toHaveLength(before + 1);
});
