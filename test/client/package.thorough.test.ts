import { execFile } from "node:child_process";
import { glob, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { packClient } from "../../client/build.ts";
import packageJson from "../../client/package.json" with { type: "json" };
import { temporaryFolder } from "../temporary-folder.ts";
import { toolFolder } from "../tools/tools.ts";

const run = promisify(execFile);

/** Prints what it finds as JSON. */
const program = `
import * as main from "./package/dist/index.js";
import * as other from "./package/dist/fetch.js";

const names = ["RequestError", "ApiError", "ConnectionError", "TimeoutError", "hooks", "createLimiter"];
const sent = [];
const send = other.reliableFetch({
  key: "key_1",
  fetch: async (_, { headers }) => {
    sent.push(new Headers(headers));
    return new Response("{}", { status: 202 });
  },
});
const { status } = await send("https://api.example.com/api/v1/emails", { method: "POST", body: "{}" });
console.log(JSON.stringify({
  same: names.filter((name) => main[name] !== undefined && main[name] === other[name]),
  status,
  authorization: sent.map((headers) => headers.get("authorization")),
  idempotencyKey: sent[0]?.get("idempotency-key"),
}));
`;

describe("the packed client", { timeout: 60_000 }, () => {
  const folder = temporaryFolder(afterAll);
  beforeAll(async () => {
    await packClient(folder);
    const [tarball = ""] = await readdir(folder);
    await run("tar", ["-xzf", tarball], { cwd: folder });
  }, 60_000);

  test("passes publint", async () => {
    const { messages } = await publint({ pkgDir: join(folder, "package"), strict: true });
    expect(messages.map((message) => formatMessage(message, packageJson as never))).toEqual([]);
  });

  test("has types for every module resolution with ES modules", async () => {
    const [tarball = ""] = (await readdir(folder)).filter((name) => name.endsWith(".tgz"));
    const attw = join(toolFolder("@arethetypeswrong/cli"), "../../.bin/attw");
    // It ends with another status than 0 when it finds anything.
    const { stdout } = await run(attw, [join(folder, tarball), "--profile", "esm-only"]);
    expect(stdout).toContain("(ESM)");
  });

  // In a process of its own: Vitest can load a file that two others import more than once.
  test("has two entry points with the same errors, and a fetch that works", async () => {
    await writeFile(join(folder, "program.mjs"), program);
    const { stdout } = await run(process.execPath, ["program.mjs"], { cwd: folder });
    expect(JSON.parse(stdout)).toEqual({
      same: ["RequestError", "ApiError", "ConnectionError", "TimeoutError", "hooks", "createLimiter"],
      status: 202,
      authorization: ["Bearer key_1"],
      idempotencyKey: expect.stringMatching(/./) as string,
    });
  });

  test("has no ids of requirements, and no links to files that it does not contain", async () => {
    const files = await Array.fromAsync(glob("package/**/*.{md,d.ts,js}", { cwd: folder }));
    expect(files.length).toBeGreaterThan(15);
    const texts = await Promise.all(files.map((file) => readFile(join(folder, file), "utf8")));
    expect(texts.join("\n")).not.toMatch(/\([A-Z]{2,}-\d+|\]\(\.\./);
  });

  test("needs nothing at run time", () => {
    expect(packageJson).not.toHaveProperty("dependencies");
  });
});
