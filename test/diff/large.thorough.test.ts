import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { compare } from "../../scripts/diff/run.ts";
import { temporaryFolder } from "../temporary-folder.ts";

test("thousands of variants are matched by what they are, and each difference has its place", async () => {
  const folder = temporaryFolder();
  const at = (file: string): string => join(folder, file);
  const write = (file: string, m: object): Promise<void> => {
    const content = { "application/json": { schema: { properties: { m } } } };
    const paths = { "/a": { post: { requestBody: { content } } } };
    return writeFile(at(file), JSON.stringify({ openapi: "3.1.0", paths }));
  };
  const variantsOf = (names: number[], isLimited = false) =>
    names.map((name) => {
      const schema = { type: "string", ...(isLimited && { maxLength: name }) };
      return { type: "object", properties: { [`p${name}`]: schema } };
    });
  const names = [...Array(8000).keys()];
  const [base, ...revisions] = [
    { oneOf: variantsOf(names) },
    { oneOf: variantsOf(names.toReversed()) },
    { oneOf: [...variantsOf(names.slice(0, -10)), ...variantsOf(names.slice(-10), true)] },
    { oneOf: variantsOf(names.slice(0, 2000)) },
    { oneOf: variantsOf([...names, ...names.map((name) => name + 8000)]) },
    { type: "integer" },
  ];
  await write("wide.json", base ?? {});
  const found = revisions.map(async (m, index) => {
    await write(`wide-${index}.json`, m);
    const { counts, differences } = await compare({
      base: at("wide.json"),
      revision: at(`wide-${index}.json`),
    });
    expect(differences.filter(({ place }) => !place?.column)).toEqual([]);
    return counts;
  });
  expect(await Promise.all(found)).toEqual([
    { breaking: 0, additive: 0, editorial: 1 },
    { breaking: 10, additive: 0, editorial: 0 },
    { breaking: 6000, additive: 0, editorial: 0 },
    { breaking: 0, additive: 8000, editorial: 0 },
    { breaking: 1, additive: 8000, editorial: 0 },
  ]);
});
