import { globSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { relative } from "node:path";
import { root } from "../paths.ts";

/** One check of the contract suite: the requirements it verifies, the law it states and the file it stands in. */
export interface Check {
  ids: string[];
  law: string;
  file: string;
}

// A call at any depth of indentation, but not one inside a comment: `check("IDEM-2", "...")` or `check(["A-1", "A-2"], "...")`.
const call =
  /^(?![ \t]*(?:\/\/|\/?\*)).*(?<![.\w])check\(\s*("[^"]*"|\[[^\]]*\])\s*,\s*("(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`)/gm;

/** The checks that a source text contains, in the order they stand in. */
export function checksIn(source: string, file: string): Check[] {
  return Array.from(source.matchAll(call), ([, ids = "", law = ""]) => ({
    ids: Array.from(ids.matchAll(/"([^"]*)"/g), ([, id = ""]) => id),
    law: law.slice(1, -1).replaceAll(/\\(.)/g, "$1"),
    file,
  }));
}

/** All checks of the contract suite, by file name and then in the order they stand in. */
export async function readChecks(folder = `${root}test/contract`): Promise<Check[]> {
  const files = globSync("**/*.ts", { cwd: folder });
  const checks = await Promise.all(
    files.sort().map(async (file) => {
      const path = `${folder}/${file}`;
      return checksIn(await readFile(path, "utf8"), relative(root, path).replaceAll("\\", "/"));
    }),
  );
  return checks.flat();
}
