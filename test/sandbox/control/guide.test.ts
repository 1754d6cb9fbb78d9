import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { controlCalls } from "../../../sandbox/control/control.ts";
import { loadSeed } from "../../../sandbox/seed/load.ts";
import type { Seed } from "../../../sandbox/seed/seed.ts";
import { root } from "../../../scripts/paths.ts";

const guide = readFileSync(join(root, "docs/sandbox.md"), "utf8");

test("the guide lists every control call, in the words of GET /sandbox/", () => {
  const rows = controlCalls.map(
    ({ method, path, does, body }) =>
      `| \`${method} ${path}\` | ${does} | ${body === undefined ? "" : `\`${JSON.stringify(body)}\``} |`,
  );
  expect(guide).toContain(["| Call | What it does | Body |", "| --- | --- | --- |", ...rows].join("\n"));
});

test("the guide names every demo account", async () => {
  for (const { id } of (await loadSeed()).accounts) expect(guide).toContain(`| \`${id}\` |`);
});

test("the seed of the guide is taken", async () => {
  const seed: Seed = parse(/```yaml\n([\s\S]+?)```/.exec(guide)?.[1] ?? "");
  expect(await loadSeed(seed)).toHaveProperty("accounts.0.id", "shop");
});
