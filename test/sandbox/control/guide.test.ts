import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { controlOperations } from "../../../sandbox/control/control.ts";
import { loadSeed } from "../../../sandbox/seed/load.ts";
import type { Seed } from "../../../sandbox/seed/seed.ts";
import { root } from "../../../scripts/common/paths.ts";

const guide = readFileSync(join(root, "docs/sandbox.md"), "utf8");

test("the guide lists every operation of the control API as GET /sandbox/ does", () => {
  const rows = controlOperations.map(
    ({ method, path, summary, fields = {}, example }) =>
      `| \`${method} ${path}\` | ${[
        summary,
        ...Object.entries(fields).map(([name, { description }]) => `\`${name}\`: ${description}.`),
      ].join("<br>")} | ${example === undefined ? "" : `\`${JSON.stringify(example)}\``} |`,
  );
  expect(guide).toContain(
    ["| Operation | What it does | Example body |", "| --- | --- | --- |", ...rows].join("\n"),
  );
});

test("the guide names every demo account", async () => {
  for (const { id } of (await loadSeed()).accounts) expect(guide).toContain(`| \`${id}\` |`);
});

test("the seed of the guide is valid", async () => {
  const seed: Seed = parse(/```yaml\n([\s\S]+?)```/.exec(guide)?.[1] ?? "");
  expect(await loadSeed(seed)).toHaveProperty("accounts.0.id", "shop");
});
