import { globSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "../../scripts/common/paths.ts";

const imports = /\b(?:from |import |import\()"([\w@.:/-]+)"/g;

// It shows that the suite depends on nothing but the API. Imports between other folders: .dependency-cruiser.mjs.
test("the second server imports only itself, Node and the types of the suite's settings", async () => {
  const files = globSync("test/second-server/*.ts", { cwd: root, exclude: ["**/*.test.ts"] });
  expect(files.length).toBeGreaterThan(5);
  const found = files.map(async (file) =>
    Array.from(
      (await readFile(join(root, file), "utf8")).matchAll(imports),
      ([, path = ""]) => `${file} imports ${path}`,
    ),
  );
  const allowed = / imports (\.\/|node:|\.\.\/\.\.\/contract\/engine\/settings\.ts$)/;
  expect((await Promise.all(found)).flat().filter((one) => !allowed.test(one))).toEqual([]);
});
