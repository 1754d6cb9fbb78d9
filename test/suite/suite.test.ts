import { globSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { describe, expect, test } from "vitest";
import { requirements } from "../../generated/requirements.ts";
import { root } from "../../scripts/paths.ts";
import { checksIn } from "../../scripts/trace/checks.ts";

const files = globSync("test/contract/**/*.ts", { cwd: root });
const imports = /(?:from|import)\s*\(?\s*"([^"]+)"/g;

describe("the suite", () => {
  test.each(files)("%s reads nothing but what is generated and its own", async (file) => {
    const source = await readFile(join(root, file), "utf8");
    const paths = Array.from(source.matchAll(imports), ([, path = ""]) => path).filter((path) =>
      path.startsWith("."),
    );
    const reached = paths.map((path) => relative(root, join(root, dirname(file), path)));
    expect(reached.filter((path) => !/^(test\/contract|generated)\//.test(path))).toEqual([]);
    expect(source).not.toMatch(/prism/i.test(file) ? /never/ : /from "@stoplight/);
  });

  test("verifies these requirements, and only ones that exist", async () => {
    const sources = await Promise.all(files.map((file) => readFile(join(root, file), "utf8")));
    const ids = new Set(sources.flatMap((source) => checksIn(source, "")).flatMap((check) => check.ids));
    expect([...ids].filter((id) => !(id in requirements))).toEqual([]);
    expect(
      Object.keys(requirements)
        .filter((id) => ids.has(id))
        .join(" "),
    ).toMatchSnapshot();
  });
});
