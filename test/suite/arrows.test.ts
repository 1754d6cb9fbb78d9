import { globSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { describe, expect, test } from "vitest";
import { root } from "../../scripts/common/paths.ts";

/**
 * What each folder may import: files and folders of this project, and packages beside those of Node. Of itself it may import
 * anything.
 */
const allowed: Record<string, { own: string[]; packages?: string[] }> = {
  // The rules are for any document, and the suite for any server: neither knows the other parts.
  "openapi/lint": { own: ["scripts/document"] },
  "test/contract": {
    own: ["generated", "lib"],
    packages: ["fast-check", "p-limit", "vitest"],
  },
  // It is there to show that the suite leans on nothing but the API.
  "test/second-server": { own: ["test/contract/engine/settings.ts"], packages: [] },
  sandbox: { own: ["generated", "lib"] },
  scripts: {
    own: [
      "generated",
      "lib",
      "openapi/lint",
      "package.json",
      "sandbox/index.ts",
      "sandbox/seed/demo.json",
      "sandbox/serve/run.ts",
      "test/contract",
    ],
  },
};

const imports = /\b(?:from |import |import\()"([\w@.:/-]+)"/g;

const isWithin = (path: string, place: string): boolean => path === place || path.startsWith(`${place}/`);

/** What the sources of a folder import, other files by their paths from the root: which file imports what. */
async function importsOf(folder: string): Promise<{ file: string; path: string; isFile: boolean }[]> {
  const files = globSync(`${folder}/**/*.{ts,mjs}`, { cwd: root, exclude: ["**/*.test.ts"] }).sort();
  const found = files.map(async (file) => {
    const source = await readFile(join(root, file), "utf8");
    return Array.from(source.matchAll(imports), ([, path = ""]) => {
      const isFile = path.startsWith(".");
      return { file, path: isFile ? relative(root, join(root, dirname(file), path)) : path, isFile };
    });
  });
  return (await Promise.all(found)).flat();
}

describe("a folder imports what it may, and nothing else:", () => {
  test.each(Object.entries(allowed))("%s", async (folder, { own, packages }) => {
    const all = await importsOf(folder);
    expect(all.length).toBeGreaterThan(10);
    const wrong = all.filter(({ path, isFile }) =>
      isFile
        ? ![folder, ...own].some((place) => isWithin(path, place))
        : packages !== undefined && !path.startsWith("node:") && !packages.includes(path),
    );
    expect(wrong.map(({ file, path }) => `${file} imports ${path}`)).toEqual([]);
  });
});
