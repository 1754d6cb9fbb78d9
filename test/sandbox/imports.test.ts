import { globSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "../..");

/** What each source of a folder imports: files from the root on, packages by their names. */
const imports = (folder: string): { file: string; imported: string }[] =>
  globSync(`${folder}/**/*.ts`, { cwd: root }).flatMap((file) => {
    const text = readFileSync(join(root, file), "utf8");
    const found = text.matchAll(/(?:^import|\bimport\(|^\} from|^import [^"\n]* from)\s*"([^"\n]+)"/gm);
    return [...found].map(([, name = ""]) => {
      const imported = name.startsWith(".") ? relative(root, join(root, dirname(file), name)) : name;
      return { file, imported };
    });
  });

test("the rules of the domain know no HTTP, no store but its types, and no clock or chance of their own", () => {
  const known = /^(generated\/|sandbox\/domain\/|lib\/(html|text)\.ts$)/;
  expect(imports("sandbox/domain").filter(({ imported }) => !known.test(imported))).toEqual([]);
  for (const file of globSync("sandbox/domain/*.ts", { cwd: root })) {
    expect(readFileSync(join(root, file), "utf8"), file).not.toMatch(
      /Date\.now\(|new Date\(\)|Math\.random|setTimeout/,
    );
  }
});
