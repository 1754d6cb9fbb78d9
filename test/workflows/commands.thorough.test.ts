import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import redoclyPackage from "@redocly/cli/package.json" with { type: "json" };
import { expect, test } from "vitest";
import { keysOfDemo } from "../../scripts/contract/targets.ts";
import { workflowPages } from "../../scripts/docs/pages/workflows.ts";
import { readBundle } from "../../scripts/document/read-bundle.ts";
import { baseUrlOf } from "../../scripts/document/requests.ts";
import { openFront } from "../bench/conformance/front.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { control, redocly, whileConfirming, writeWorkflows } from "./respect.ts";

const document = await readBundle();
const { full = "", replaced = "" } = keysOfDemo();
const keys = { EMAIL_API_KEY: full, EMAIL_NEW_KEY: full, EMAIL_OLD_KEY: replaced };

/** Runs a command of a page against a server. @throws Error with what it printed if it fails */
async function run(command: string, url: string, cwd: string): Promise<void> {
  const line = command.replace("npx @redocly/cli@2", redocly).replace(baseUrlOf(document), url);
  const env = { ...process.env, ...keys, REDOCLY_TELEMETRY: "off" };
  await promisify(execFile)("sh", ["-c", line], { cwd, env });
}

test.each(workflowPages(document))("the commands of $path pass on the sandbox", async ({ text }) => {
  expect(redoclyPackage.version).toMatch(/^2\./);
  const commands = text.match(/^npx .*/gm) ?? [];
  expect(commands).not.toEqual([]);
  const folder = temporaryFolder();
  await writeWorkflows(folder);
  const front = await openFront({ title: "the sandbox" });
  try {
    for (const command of commands) {
      // The old key stops after three days.
      if (command.includes("after-rotation")) await control(front.url, "clock", { advance: "P4D" });
      await whileConfirming(front.url, () => run(command, front.url, join(folder, "workflows")));
    }
  } finally {
    await front.close();
  }
});
