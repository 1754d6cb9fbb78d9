import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { customRules } from "../../../openapi/lint/custom-rules.ts";
import { root } from "../../../scripts/common/paths.ts";
import { blocksOf, pages } from "./pages.ts";

test("the command of the guide lists every custom lint rule with its description", async () => {
  const shell = pages.flatMap(blocksOf).filter(({ language }) => language === "sh");
  const [command, ...more] = shell.filter(({ code }) => code.startsWith("npx node -e"));
  expect(more).toEqual([]);
  // In a clone `npx node` is the Node that runs this test.
  const script = `npx() { shift; "${process.execPath}" "$@"; }\n${command?.code}`;
  const { stdout } = await promisify(execFile)("sh", ["-c", script], { cwd: root });
  expect(stdout.trim().split("\n")).toEqual(
    Object.entries(customRules).flatMap(([name, { description }]) => [name, `  ${description}`]),
  );
});
