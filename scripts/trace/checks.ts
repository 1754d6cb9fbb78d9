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
// `check("IDEM-2", "...")`, `constraint("SEND-9", "...")` on request bodies, and `finding(["HEAD-1"], "...")` on every response.
const call = new RegExp(
  String.raw`${notInComment}(?<![.\w])(?:check|constraint|finding)\(\s*${ids}\s*,\s*${text}`,
  "gm",
);

/** The checks in a source text, in order. */
export const checksIn = (source: string, file: string): Check[] =>
  Array.from(source.matchAll(call), ([, named = "", title = ""]) => ({
    ids: Array.from(named.matchAll(/"([^"]*)"/g), ([, id = ""]) => id),
    title: title.slice(1, -1).replaceAll(/\\(.)/g, "$1"),
    file,
  }));

/** What the model of the service compares in random sequences: a check for each file of its rules, of all requirements that it names. */
export function comparisonsIn(source: string, file: string): Check[] {
  const named = Array.from(source.matchAll(/"([A-Z]+-\d+)"/g), ([, id = ""]) => id);
  return [
    { ids: [...new Set(named)], title: "the model of the service compares it in random sequences", file },
  ];
}

/** Whether a check is a file of the model's rules. */
export const isOfModel = ({ file }: Pick<Check, "file">): boolean => file.includes("/model/rules/");

/** Whether a check tests clients. */
export const isOfClients = ({ file }: Pick<Check, "file">): boolean => file.includes("/client-suite/");

/** All checks of the contract suite, by file name. */
export async function readChecks(folder = `${root}contract`): Promise<Check[]> {
  const files = globSync("**/*.ts", { cwd: folder });
  const checks = await Promise.all(
    files.sort().map(async (file) => {
      const path = `${folder}/${file}`;
      const name = relative(root, path).replaceAll("\\", "/");
      const read = isOfModel({ file: name }) ? comparisonsIn : checksIn;
      return read(await readFile(path, "utf8"), name);
    }),
  );
  return checks.flat().filter((check) => check.ids.length > 0);
}
