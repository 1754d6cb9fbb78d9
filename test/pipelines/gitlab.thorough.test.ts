import { afterAll, describe, expect, test } from "vitest";
import { container } from "../container/containerfile.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { expandGitlab, runGitlab } from "./jobs.ts";

const folder = temporaryFolder(afterAll);
const command = "contract --base-url http://server:8080";

describe("the template for GitLab", () => {
  test("is valid, and runs the command that it is given", async () => {
    const { "email-api-contract": job } = await expandGitlab(folder, {
      command,
      image: "registry.example.com/contract",
      stage: "build",
    });
    expect(job).toMatchObject({ stage: "build", image: { name: "registry.example.com/contract" } });
    expect(job.script.join("\n")).toContain(`email-api-contract ${command} --html report.html`);
  });

  test.for([
    [{}, 0, 0],
    [{}, 1, 1],
    [{}, 3, 3],
    [{ "allow-not-verified": true }, 0, 0],
    [{ "allow-not-verified": true }, 1, 1],
    [{ "allow-not-verified": true }, 3, 0],
  ] as const)("with %o, the exit code %i ends the job with %i", async ([inputs, given, code]) => {
    const program = `echo {} > report.json; return ${given}`;
    expect(await runGitlab(folder, { command, ...inputs }, {}, program)).toMatchObject({ code });
  });

  test("fails if the command wrote no report", async () => {
    const { code, log } = await runGitlab(folder, { command: "contract --help" });
    expect(code).toBe(2);
    expect(log).toContain("nothing was tested, as the command wrote no report");
  });

  test("the image has the command", () => {
    expect(container.links).toContain("/usr/local/bin/");
  });
});
