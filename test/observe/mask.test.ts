import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { maskedTexts } from "../../contract/observe/mask.ts";
import { root } from "../../scripts/common/paths.ts";
import { accepted, error, exchange, message, observed } from "./samples.ts";

/** The texts with spaces in a source, and the parts of its template literals. */
function textsIn(file: string): string[] {
  const texts: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteral(node) || ts.isTemplateLiteralToken(node)) texts.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest));
  return texts.filter((text) => text.includes(" ") && !/^[A-Z]+-\d/.test(text));
}

describe("a masked message", () => {
  it("has every text of the checks: a new word belongs in messageWords of mask.ts", () => {
    const folders = "contract/{model/rules,response-checks,observe}/*.ts";
    const others = /\/(mask|coverage|places|observe-result)\.ts$/;
    const files = globSync(folders, { cwd: root }).filter((file) => !others.test(file));
    const texts = files.flatMap((file) => textsIn(join(root, file))).map((text) => text.replaceAll('"', ""));
    expect(texts.length).toBeGreaterThan(80);
    expect(texts.filter((text) => maskedTexts([text])[0] !== text)).toEqual([]);
  });

  it("has the headers and the statuses of the document", () => {
    const text = "the header X-RateLimit-Limit as documented, with status 2XX or 404 not_found";
    expect(maskedTexts([text])).toEqual([text]);
  });

  it("has numbers for different values, so that it shows what differs", () => {
    const texts = ['id "msg_a", to ["ada@a.example"]', 'id "msg_b", to ["ada@a.example"]'];
    expect(maskedTexts(texts)).toEqual(['id "***1", to ["***2"]', 'id "***3", to ["***2"]']);
    expect(maskedTexts(['id "msg_a"', "nothing"])).toEqual(['id "***"', "nothing"]);
  });

  it("is not destroyed by a short key", () => {
    const requestHeaders = { authorization: "Bearer e" };
    const sent = exchange("POST", "/api/v1/emails", { sent: message, ...accepted("m"), requestHeaders });
    const look = exchange("GET", "/api/v1/emails/m", { ...error(404, "not_found"), requestHeaders });
    const { failures } = observed([sent, look]).tally;
    expect([...failures.values()].map(({ examples }) => examples[0]?.found)).toEqual(["404 not_found"]);
  });
});
