import { execFile } from "node:child_process";
import { copyFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { root } from "../../scripts/common/paths.ts";
import { container } from "../container/containerfile.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const run = promisify(execFile);
const gitlabCiLocal = createRequire(import.meta.url).resolve("gitlab-ci-local/dist/index.js");

const folder = temporaryFolder(afterAll);

interface Pipeline {
  "email-api-contract": { script: string[]; image: { name: string }; stage: string };
}

/** The pipeline of a project that includes the template, as GitLab expands it. */
async function expand(inputs: Record<string, unknown>): Promise<Pipeline> {
  await writeFile(
    join(folder, ".gitlab-ci.yml"),
    JSON.stringify({ include: [{ local: "gitlab.yml", inputs }] }),
  );
  const { stdout } = await run(process.execPath, [gitlabCiLocal, "--preview"], { cwd: folder });
  return parse(stdout.slice(stdout.indexOf("---"))) as Pipeline;
}

describe("the template for GitLab", () => {
  beforeAll(async () => {
    await copyFile(join(root, "scripts/pipelines/gitlab.yml"), join(folder, "gitlab.yml"));
    const git = (...words: string[]) => run("git", ["-C", folder, ...words]);
    await git("init", "--quiet");
    await git("add", "gitlab.yml");
    await git("remote", "add", "origin", "git@gitlab.example:mail/server.git");
    const author = ["-c", "user.name=a", "-c", "user.email=a@example.com"];
    await git(...author, "commit", "--quiet", "--allow-empty", "-m", "a");
  });

  test("is valid, and runs the command that it is given", async () => {
    const command = "contract --base-url http://server:8080";
    const { "email-api-contract": job } = await expand({
      command,
      image: "registry.example.com/contract",
      stage: "build",
    });
    expect(job).toMatchObject({ stage: "build", image: { name: "registry.example.com/contract" } });
    expect(job.script.join("\n")).toContain(`email-api-contract ${command} --html report.html`);
  });

  test.for([
    [true, 0, 0],
    [true, 1, 1],
    [true, 3, 0],
    [false, 3, 3],
  ] as const)(
    "with allow-not-verified %s, the exit code %i ends the job with %i",
    async ([isAllowed, given, code]) => {
      const { "email-api-contract": job } = await expand({ "allow-not-verified": isAllowed });
      const program = `email-api-contract() { return ${given}; }`;
      const env = { PATH: process.env.PATH, ALLOW_NOT_VERIFIED: String(isAllowed) };
      const ended = run("bash", ["-e", "-c", [program, ...job.script].join("\n")], { env });
      expect(
        await ended.then(
          () => 0,
          (error: { code: number }) => error.code,
        ),
      ).toBe(code);
    },
  );

  test("the image has the command", () => {
    expect(container.links).toContain("/usr/local/bin/");
  });
});
