import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { isMap, isSeq, type Node, parseDocument } from "yaml";
import { jsonPlaces, offsetOf } from "../../scripts/diff/json-places.ts";

/** Every path into a parsed document, with the offset of its name or, in a list, of its value. */
function* places(node: unknown, path: string[] = []): Generator<[string[], number]> {
  if (isMap(node)) {
    for (const { key, value } of node.items) {
      const inner = [...path, String((key as { value: unknown }).value)];
      yield [inner, (key as Node).range?.[0] ?? -1];
      yield* places(value, inner);
    }
  } else if (isSeq(node)) {
    for (const [index, item] of node.items.entries()) {
      const inner = [...path, String(index)];
      yield [inner, (item as Node).range?.[0] ?? -1];
      yield* places(item, inner);
    }
  }
}

test("each place of a text of JSON is found where a parser finds it", () => {
  const indent = fc.constantFrom(undefined, 2, "\t");
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4, noUnicodeString: false }), indent, (value, space) => {
      const text = JSON.stringify(value, null, space);
      const all = [...places(parseDocument(text, { uniqueKeys: false }).contents)];
      const found = all.map(([path]) => [path, offsetOf(text, path)]);
      expect(found, text).toEqual(all);
    }),
    { numRuns: 40 },
  );
});

test("a place that is not there is told as its nearest owner", async () => {
  const folder = await mkdtemp(join(tmpdir(), "json-places-"));
  try {
    const file = join(folder, "a.json");
    await writeFile(file, '{\n  "one": {\n    "a/b": [1, { "two": "}" }],\n    "three": -1.5e3\n  }\n}\n');
    const { locate } = jsonPlaces(file);
    const at = async (pointer: string): Promise<number[]> => {
      const { line, column } = await locate(pointer);
      return [line, column];
    };
    expect(await at("")).toEqual([1, 1]);
    expect(await at("/one/a~1b/1/two")).toEqual([3, 18]);
    expect(await at("/one/a~1b/1/four/five")).toEqual([3, 16]);
    expect(await at("/one/three/six")).toEqual([4, 5]);
    expect(await at("/seven")).toEqual([1, 1]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
