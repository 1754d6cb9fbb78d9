import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { root } from "../../scripts/common/paths.ts";
import { missingPython } from "./run.ts";

describe("a client that is independent of the project's own client", () => {
  const missing = missingPython();
  beforeEach(({ skip }) => skip(missing !== undefined, missing));

  it("imports Python's standard library alone", () => {
    const text = readFileSync(join(root, "test/second-client/email_api.py"), "utf8");
    const imported = Array.from(text.matchAll(/^(?:import|from) (\w+)/gm), ([, name]) => name);
    const known = execFileSync("python3", ["-c", "import sys; print(*sys.stdlib_module_names)"], {
      encoding: "utf8",
    });
    expect(imported.length).toBeGreaterThan(5);
    expect(imported.filter((name) => !known.split(/\s/).includes(name ?? ""))).toEqual([]);
  });
});
