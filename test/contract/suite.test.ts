import { globSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { planOf } from "../../contract/plan.ts";
import { requirements } from "../../generated/requirements.ts";
import { root } from "../../scripts/common/paths.ts";
import { checksIn } from "../../scripts/trace/checks.ts";
import { demoSettings } from "../mutants/demo.ts";

const files = globSync("contract/**/*.ts", { cwd: root });
const ofClients = (file: string): boolean => file.includes("/client-suite/");
const idsIn = async (names: string[]): Promise<Set<string>> => {
  const sources = await Promise.all(names.map((file) => readFile(join(root, file), "utf8")));
  return new Set(sources.flatMap((source) => checksIn(source, "")).flatMap((check) => check.ids));
};

describe("the suite", () => {
  test("verifies these requirements, and only existing ones", async () => {
    const ids = await idsIn(files.filter((file) => !ofClients(file)));
    expect([...ids].filter((id) => !(id in requirements))).toEqual([]);
    expect(
      Object.keys(requirements)
        .filter((id) => ids.has(id))
        .join(" "),
    ).toMatchSnapshot();
  });

  test("for clients verifies only existing requirements", async () => {
    const ids = await idsIn(files.filter(ofClients));
    expect([...ids].filter((id) => !(id in requirements))).toEqual([]);
  });

  test("starts with the checks that wait for the server: the others run meanwhile", () => {
    const waits = planOf(demoSettings()).concurrent.map(({ check }) => check.waits);
    const count = waits.filter(Boolean).length;
    expect(count).toBeGreaterThan(0);
    expect(waits.indexOf(false)).toBe(count);
  });
});
