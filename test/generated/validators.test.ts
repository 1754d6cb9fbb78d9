import { readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";
import { generatedFolder } from "../../scripts/common/paths.ts";

test.for(["requests.js", "responses.js"])("%s imports nothing", (name) => {
  const file = join(generatedFolder, "validators", name);
  const tree = ts.createSourceFile(
    file,
    readFileSync(file, "utf8"),
    ts.ScriptTarget.Latest,
    false,
    ts.ScriptKind.JS,
  );
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) found.push("import");
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
      found.push("import()");
    if (ts.isCallExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === "require") {
      found.push("require()");
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  expect(found).toEqual([]);
});
