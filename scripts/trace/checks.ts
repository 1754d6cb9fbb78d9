import { globSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { relative } from "node:path";
import { root } from "../common/paths.ts";

/** A check of the contract suite: the requirements it verifies, its title and its file. */
export interface Check {
  ids: string[];
  title: string;
  file: string;
}

const quoted = String.raw`"(?:[^"\\]|\\.)*"`;
const inBackticks = quoted.replaceAll('"', "`");
const text = `(${quoted}|${inBackticks})`;
// At any depth of indentation, but not inside a comment.
const notInComment = String.raw`^(?![ \t]*(?:\/\/|\/?\*)).*`;
const ids = String.raw`("[^"]*"|\[[^\]]*\])`;
const forms = [
  // `check("IDEM-2", "...")`, and `finding(["HEAD-1"], "...")` for every response.
  String.raw`${notInComment}(?<![.\w])(?:check|finding)\(\s*${ids}\s*,\s*${text}`,
  // `{ id: "SEND-9", title: "..." }`, a requirement on request bodies.
  String.raw`${notInComment}\{\s*id:\s*${ids},\s*title:\s*${text}`,
].map((form) => new RegExp(form, "gm"));

/** The checks in a source text. */
export function checksIn(source: string, file: string): Check[] {
  return forms.flatMap((form) =>
    Array.from(source.matchAll(form), ([, named = "", title = ""]) => ({
      ids: Array.from(named.matchAll(/"([^"]*)"/g), ([, id = ""]) => id),
      title: title.slice(1, -1).replaceAll(/\\(.)/g, "$1"),
      file,
    })),
  );
}

/** All checks of the contract suite, by file name. */
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
