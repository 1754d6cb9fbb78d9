import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import packageJson from "../../package.json" with { type: "json" };
import { startAgent } from "../mcp/agent.ts";
import { unpackProject } from "../packed.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const root = join(import.meta.dirname, "../..");
// What V8 makes of an installation that is gone afterwards is of no use to anyone.
const env = { ...process.env, NODE_DISABLE_COMPILE_CACHE: "1" };
const run = promisify(execFile);
const installed = "node_modules/email-api-contract";

/** What someone writes who tests a program of theirs with the sandbox. */
const program = `
import { startSandbox, type Sandbox } from "email-api-contract/sandbox";

const sandbox: Sandbox = await startSandbox({ clock: { frozen: true } });
const response = await sandbox.fetch("/api/v1/emails", {
  method: "POST",
  headers: { authorization: \`Bearer \${sandbox.keys["all abilities"]}\`, "content-type": "application/json" },
  body: JSON.stringify({ from: "orders@bakery.example", to: ["success@simulator.example"], subject: "Hello", text: "You" }),
});
const { id } = (await response.json()) as { id: string };
await sandbox.clock.advance(60_000);
const [sent] = await sandbox.outbox.messages();
if (sent === undefined) throw new Error("nothing was sent");
const eml = new TextDecoder().decode(await sandbox.outbox.eml(sent));
console.log(JSON.stringify({ same: sent.id === id, status: sent.status, subject: eml.includes("Subject: Hello") }));
await sandbox.close();
`;

/** A project of someone else's, in which the packed package is installed with its dependencies and nothing more. */
describe("installed in another project", { timeout: 60_000 }, () => {
  const folder = temporaryFolder(afterAll);
  const bin = join(folder, installed, packageJson.bin["email-api-contract"]);
  beforeAll(async () => {
    await unpackProject(join(folder, installed));
    await mkdir(join(folder, "node_modules/@types"));
    await mkdir(join(folder, "node_modules/@modelcontextprotocol"));
    for (const name of [...Object.keys(packageJson.dependencies), "@types/node"])
      await symlink(join(root, "node_modules", name), join(folder, "node_modules", name));
    await writeFile(join(folder, "package.json"), '{ "type": "module" }');
    await writeFile(join(folder, "program.ts"), program);
  }, 60_000);

  test("a sandbox is started in a test of that project", async () => {
    const { stdout } = await run(process.execPath, ["program.ts"], { cwd: folder, env });
    expect(JSON.parse(stdout)).toEqual({ same: true, status: "delivered", subject: true });
  });

  test("its types are those of the sandbox", async () => {
    const options = ["--noEmit", "--strict", "--module", "nodenext", "--target", "es2024", "--types", "node"];
    const compiler = join(root, "node_modules/typescript7/bin/tsc");
    await writeFile(join(folder, "wrong.ts"), program.replace("frozen: true", "frozen: 1"));
    const checked = await run(process.execPath, [compiler, ...options, "program.ts", "wrong.ts"], {
      cwd: folder,
    }).catch((error: { stdout: string }) => error);
    const faults = checked.stdout.split("\n").filter((line) => /^\S/.test(line));
    expect(faults).toEqual([
      expect.stringMatching(/^wrong\.ts.*Type 'number' is not assignable to type 'boolean/),
    ]);
  });

  test("the command starts a sandbox, and ends it when asked to", async () => {
    const child = spawn(process.execPath, [bin, "sandbox", "--port", "0", "--quiet"], { cwd: folder, env });
    const [line] = (await once(child.stdout.setEncoding("utf8"), "data")) as [string];
    expect((await fetch(`${line.trim()}/api/v1/me`)).status).toBe(401);
    child.kill("SIGTERM");
    expect(await once(child, "exit")).toEqual([0, null]);
  });

  test("the command tests a server", async () => {
    const words = ["contract", "--target", "sandbox", "--grep", "IDEM-2", "--json", "report.json"];
    const { stdout } = await run(process.execPath, [bin, ...words], { cwd: folder, env });
    expect(stdout).toMatch(/requirements? pass/);
    expect(JSON.parse(await readFile(join(folder, "report.json"), "utf8"))).toMatchObject({ exitCode: 0 });
  });

  test("the command serves agents, with the pages of the reference", async () => {
    const agent = await startAgent([], {}, bin);
    onTestFinished(() => agent.close());
    expect(await agent.call("show", { id: "guides/testing-a-server" })).toContain("# Test a server");
    expect(await agent.call("request", { path: "/api/v1/me" })).toMatch(/^HTTP 200/);
  });

  test("the mock requires a clone, and help does not offer it", async () => {
    const mock = run(process.execPath, [bin, "contract", "--target", "mock"], { cwd: folder, env });
    await expect(mock).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringContaining("Allowed choices are sandbox."),
    });
    const { stdout } = await run(process.execPath, [bin, "contract", "--help"], { cwd: folder, env });
    expect(stdout).toContain('(choices: "sandbox")');
  });

  test("a command that works on the document itself requires a clone", async () => {
    const lint = run(process.execPath, [bin, "lint"], { cwd: folder, env });
    await expect(lint).rejects.toMatchObject({ code: 2, stderr: expect.stringContaining("clone") });
  });
});
