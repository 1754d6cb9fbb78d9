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

const quoted = String.raw`"(?:[^"\\]|\\.)*"`;
const inBackticks = quoted.replaceAll('"', "`");
const text = `(${quoted}|${inBackticks})`;
// At any depth of indentation, but not inside a comment.
const notInComment = String.raw`^(?![ \t]*(?:\/\/|\/?\*)).*`;
const ids = String.raw`("[^"]*"|\[[^\]]*\])`;
const forms = [
  // `check("IDEM-2", "...")`, and `finding(["HEAD-1"], "...")` for what every answer must be.
  String.raw`${notInComment}(?<![.\w])(?:check|finding)\(\s*${ids}\s*,\s*${text}`,
  // `{ id: "SEND-9", title: "..." }`, a requirement on request bodies.
  String.raw`${notInComment}\{\s*id:\s*${ids},\s*title:\s*${text}`,
].map((form) => new RegExp(form, "gm"));

/** The checks that a source text contains, by form and then in the order they stand in. */
export function checksIn(source: string, file: string): Check[] {
  return forms.flatMap((form) =>
    Array.from(source.matchAll(form), ([, named = "", law = ""]) => ({
      ids: Array.from(named.matchAll(/"([^"]*)"/g), ([, id = ""]) => id),
      law: law.slice(1, -1).replaceAll(/\\(.)/g, "$1"),
      file,
    })),
  );
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
  return checks.flat().filter((check) => check.ids.length > 0);
}
