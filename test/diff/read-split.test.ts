import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { bundle } from "../../scripts/bundle.ts";
import { quickly, readSplit } from "../../scripts/diff/read-split.ts";
import { readBundle } from "../../scripts/document/read-bundle.ts";
import { rootDocument } from "../../scripts/paths.ts";
import { type Copy, onCopy } from "../scripts/copies.ts";

test("the contract is read as it is bundled", async () => {
  const { "x-generated": _, ...generated } = { ...(await readBundle()) } as Record<string, unknown>;
  expect(await quickly(rootDocument)).toEqual(generated);
});

test("a document with words beside a reference, and an answer that only a table reaches, is read as it is bundled", async () => {
  await onCopy("sample", async ({ source, replace }) => {
    const title = "$ref: ./Title.yaml";
    await replace("schemas/Note.yaml", title, `${title}, description: Its name.`);
    await replace("paths/notes.yaml", '"401": { $ref: ../responses/Unauthorized.yaml }', "");
    await replace("paths/notes-id.yaml", '"401": { $ref: ../responses/Unauthorized.yaml }', "");
    expect(await quickly(source)).toEqual(await bundle(source));
  });
});

const wrong: [string, (copy: Copy) => Promise<unknown>, RegExp][] = [
  [
    "a file that is missing",
    ({ remove }) => remove("schemas/Title.yaml"),
    /Note\.yaml:\d+:\d+: .*Title\.yaml/,
  ],
  ["a file that is no YAML", ({ append }) => append("schemas/Note.yaml", "\n]: {"), /Note\.yaml:\d+:\d+/],
];

test.each(wrong)("what is wrong is told as bundling tells it: %s", async (_, change, message) => {
  await onCopy("sample", async (copy) => {
    await change(copy);
    await expect(readSplit(copy.source)).rejects.toThrow(message);
  });
});

test("a reference to a part of a file is left to the bundler", async () => {
  await onCopy("sample", async ({ source, folder, replace }) => {
    await replace("schemas/Note.yaml", "$ref: ./Title.yaml", "$ref: ../more.yaml#/title");
    await writeFile(join(folder, "more.yaml"), "title: { type: string, maxLength: 9 }\n");
    await expect(quickly(source)).rejects.toThrow("a reference is to no whole file");
  });
});
