import { cp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openapiFolder } from "../../scripts/common/paths.ts";
import { lint } from "../../scripts/lint/lint.ts";
import { temporaryFolder } from "../temporary-folder.ts";

/** The findings in a copy of the document, after a change of the workflow `schedule`. */
async function findingsWith(change: (text: string) => string): Promise<string[]> {
  const folder = join(temporaryFolder(), "openapi");
  await cp(openapiFolder, folder, { recursive: true });
  const file = join(folder, "workflows/schedule.arazzo.yaml");
  await writeFile(file, change(await readFile(file, "utf8")));
  const found = await lint(join(folder, "openapi.yaml"));
  return found.map(({ file, rule, message }) => `${file.replace(/.*openapi\//, "")} ${rule}: ${message}`);
}

test("an operation that no workflow has, and one that does not exist, are found at their places", async () => {
  expect(await findingsWith((text) => text.replace("cancelEmail", "deleteEmail"))).toEqual([
    "paths/emails-id.yaml operation-in-workflow: Add a step with cancelEmail to one of the workflows in openapi/workflows.",
    "workflows/schedule.arazzo.yaml workflow-operation-exists: Change the operationId deleteEmail to one of the document.",
  ]);
});

test("a workflow that is not valid Arazzo is found by Redocly", async () => {
  const found = await findingsWith((text) => text.replace("stepId: move", "id: move"));
  expect(found.join("\n")).toMatch(/^workflows\/schedule.arazzo.yaml \S+: .*stepId/m);
});
