import { execFile } from "node:child_process";
import { globSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { isConcurrent, planOf } from "../../contract/plan.ts";
import recorded from "../../contract/recorded.json" with { type: "json" };
import { requirementsOf } from "../../contract/verifiable.ts";
import { requirements } from "../../generated/requirements.ts";
import { root } from "../../scripts/common/paths.ts";
import { readBundle } from "../../scripts/document/read-bundle.ts";
import { isOfClients, type TracedCheck, tracedChecks } from "../../scripts/trace/checks.ts";
import { demoSettings } from "../mutants/demo.ts";

/** The ids of the checks that are defined, without what responses encode. */
async function idsOf(isWanted: (check: TracedCheck) => boolean): Promise<Set<string>> {
  const checks = (await tracedChecks(await readBundle())).filter(
    ({ title }) => !title.startsWith("every successful response"),
  );
  return new Set(checks.filter(isWanted).flatMap((check) => check.ids));
}

describe("the suite", () => {
  // Which requirements have which checks is in generated/trace.json.
  test.each([
    ["servers", (check: TracedCheck) => !isOfClients(check)],
    ["clients", isOfClients],
  ])("for %s verifies only existing requirements", async (_, isOfKind) => {
    const ids = await idsOf(isOfKind);
    expect(ids.size).toBeGreaterThan(0);
    expect([...ids].filter((id) => !(id in requirements))).toEqual([]);
  });

  test("starts with the checks that wait for the server: the others run meanwhile", () => {
    const waits = planOf(demoSettings())
      .filter(isConcurrent)
      .map(({ check }) => check.waits);
    const count = waits.filter(Boolean).length;
    expect(count).toBeGreaterThan(0);
    expect(waits.indexOf(false)).toBe(count);
  });
});

test("the guide names what core has no check for, and its number of requests", async () => {
  const [core, full] = (["core", "full"] as const).map((profile) => {
    const settings = demoSettings(profile);
    return requirementsOf(settings, planOf(settings));
  }) as [Set<string>, Set<string>];
  const guide = await readFile(join(root, "docs/testing-a-server.md"), "utf8");
  const row = guide.split("\n").find((line) => line.startsWith("| `core` |")) ?? "";
  const named = Array.from(row.matchAll(/`([A-Z]+-\d+)`/g), ([, id = ""]) => id);
  expect(named.sort()).toEqual([...full].filter((id) => !core.has(id)).sort());
  const [, requests] = /in about (\d+) requests/.exec(row) ?? [];
  expect(Math.abs(Number(requests) - recorded.profiles.core.requests)).toBeLessThanOrEqual(25);
});

const imports = /\b(?:from |import |import\()"([\w@.:/-]+)"/g;

// It shows that the suite depends on nothing but the API. Imports between other folders: .dependency-cruiser.mjs.
test("the second server imports only itself, Node, a parser of YAML and what the suite's settings are made with", async () => {
  const files = globSync("test/second-server/*.ts", { cwd: root, exclude: ["**/*.test.ts"] });
  expect(files.length).toBeGreaterThan(5);
  const found = files.map(async (file) =>
    Array.from(
      (await readFile(join(root, file), "utf8")).matchAll(imports),
      ([, path = ""]) => `${file} imports ${path}`,
    ),
  );
  const allowed = / imports (\.\/|node:|yaml$|\.\.\/\.\.\/contract\/(engine\/settings|config\/load)\.ts$)/;
  expect((await Promise.all(found)).flat().filter((one) => !allowed.test(one))).toEqual([]);
});

test.each(["test/mutants/mutate.ts", "test/mutants/variants/main.ts"])(
  "%s says how it is used",
  async (file) => {
    const { stdout } = await promisify(execFile)(process.execPath, [join(root, file), "--help"]);
    expect(stdout).toMatch(/^Usage: npm run contract:(mutate|variants) -- \[options\]\n/);
    expect(stdout.split("\n").filter((line) => line.length > 80)).toEqual([]);
  },
);
