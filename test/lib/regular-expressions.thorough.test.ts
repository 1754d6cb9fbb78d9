import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";
import { root } from "../../scripts/common/paths.ts";
import { loadTool } from "../tools/tools.ts";

interface Recheck {
  check(source: string, flags: string, options: { timeout: number }): Promise<{ status: string }>;
}

/** Where the text is not foreign, or not long: the reason why a pattern may need time that is squared in its length. */
const exempt: [where: RegExp, reason: string][] = [
  [
    /^(openapi\/lint|scripts\/(docs|generate|release))\//,
    "reads files of the project, or of the owner of a site",
  ],
  [/^contract\/case-requirements\//, "reads the document"],
  [/ \/\\\/[+*]\$\/$| \/\.\*@\/s$/, "the end of a URL that an option or a setting gives"],
  [/^contract\/selection\.ts /, "the option --grep"],
  [/^contract\/(report\/causes|report\/publish|engine\/cause|text)\.ts /, "a text that was cut before"],
  [/^sandbox\/mail\/compose\.ts /, "its repetitions are bounded, and headers have at most 998 characters"],
  [/^sandbox\/domain\/sending\.ts /, "a name has at most 256 characters"],
  [/^sandbox\/domain\/confirmation\.ts /, "a text that the sandbox writes itself"],
];

/** Each regular expression of the product code, as `file /source/flags`. */
function expressions(): string[] {
  const found: string[] = [];
  for (const file of globSync("{lib,contract,sandbox,scripts,client/src,openapi/lint}/**/*.ts", {
    cwd: root,
  })) {
    const source = ts.createSourceFile(file, readFileSync(join(root, file), "utf8"), ts.ScriptTarget.Latest);
    const visit = (node: ts.Node): void => {
      if (ts.isRegularExpressionLiteral(node)) found.push(`${file} ${node.text}`);
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
  return found;
}

test("no foreign text makes a regular expression need time that is squared in its length", {
  timeout: 600_000,
}, async () => {
  const { check } = await loadTool<Recheck>("recheck");
  const all = expressions();
  expect(all.length).toBeGreaterThan(300);
  const slow: string[] = [];
  for (const one of all.filter((name) => !exempt.some(([where]) => where.test(name)))) {
    const text = one.slice(one.indexOf(" ") + 1);
    const end = text.lastIndexOf("/");
    const { status } = await check(text.slice(1, end), text.slice(end + 1), { timeout: 20_000 });
    if (status === "vulnerable") slow.push(one);
  }
  expect(slow).toEqual([]);
});
