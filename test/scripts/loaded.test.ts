import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "../../scripts/common/paths.ts";

// Prints the modules of this project that a command loads before it runs.
const hooks = `data:text/javascript,${encodeURIComponent(`
import { registerHooks } from "node:module";
registerHooks({ load(url, context, next) { console.log(url); return next(url, context); } });`)}`;

test("a command loads the contract suite, the checks of clients and fast-check only when it runs them", () => {
  const output = execFileSync(
    process.execPath,
    ["--import", hooks, join(root, "scripts/cli.ts"), "sandbox", "--help"],
    { encoding: "utf8" },
  );
  const loaded = output.split("\n").filter((line) => line.startsWith("file:"));
  expect(loaded.length).toBeGreaterThan(10);
  expect(loaded.filter((url) => /\/checks\/|fast-check/.test(url))).toEqual([]);
});
