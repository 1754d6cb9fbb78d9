import { execFile } from "node:child_process";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import packageJson from "../../client/package.json" with { type: "json" };
import { root } from "../../scripts/common/paths.ts";

const run = promisify(execFile);

describe("the packed client", { timeout: 60_000 }, () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "email-api-client-package-"));
    await run("npm", ["pack", "--silent", "--pack-destination", folder], { cwd: join(root, "client") });
    const [tarball = ""] = await readdir(folder);
    await run("tar", ["-xzf", tarball], { cwd: folder });
  }, 60_000);
  afterAll(() => rm(folder, { recursive: true }));

  test("passes publint", async () => {
    const { messages } = await publint({ pkgDir: join(folder, "package"), strict: true });
    expect(messages.map((message) => formatMessage(message, packageJson as never))).toEqual([]);
  });

  test("has types for every module resolution with ES modules", async () => {
    const [tarball = ""] = (await readdir(folder)).filter((name) => name.endsWith(".tgz"));
    const attw = join(root, "node_modules/.bin/attw");
    // It ends with another status than 0 when it finds anything.
    const { stdout } = await run(attw, [join(folder, tarball), "--profile", "esm-only"]);
    expect(stdout).toContain("(ESM)");
  });

  test("has two entry points with the same errors, and a fetch that works", async () => {
    const [main, other] = await Promise.all(
      ["index.js", "fetch.js"].map((name) => import(join(folder, "package/dist", name))),
    );
    for (const name of [
      "RequestError",
      "ApiError",
      "ConnectionError",
      "TimeoutError",
      "hooks",
      "createLimiter",
    ])
      expect(other[name]).toBe(main[name]);
    const sent: Headers[] = [];
    const send = other.reliableFetch({
      key: "key_1",
      fetch: async (_: string, { headers }: { headers: Record<string, string> }) => {
        sent.push(new Headers(headers));
        return new Response("{}", { status: 202 });
      },
    });
    const response = await send("https://api.example.com/api/v1/emails", { method: "POST", body: "{}" });
    expect([response.status, sent.length, sent[0]?.get("authorization")]).toEqual([202, 1, "Bearer key_1"]);
    expect(sent[0]?.get("idempotency-key")).toMatch(/./);
  });

  test("needs nothing at run time", () => {
    expect(packageJson).not.toHaveProperty("dependencies");
  });
});
