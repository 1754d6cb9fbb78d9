import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { root } from "../../scripts/common/paths.ts";

test.each(["test/mutants/mutate.ts", "test/mutants/variants/main.ts"])(
  "%s says how it is used",
  async (file) => {
    const { stdout } = await promisify(execFile)(process.execPath, [join(root, file), "--help"]);
    expect(stdout).toMatch(/^Usage: npm run contract:(mutate|variants) -- \[options\]\n/);
    expect(stdout.split("\n").filter((line) => line.length > 80)).toEqual([]);
  },
);
