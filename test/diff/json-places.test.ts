import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { jsonPlaces, offsetOf } from "../../scripts/diff/json-places.ts";

/** A text of JSON, and where in it each path leads: to a name or, in a list, to a value. */
interface Written {
  text: string;
  places: [string[], number][];
}

/** Writes a value as JSON with white space in all places, and notes what it writes where. */
function written(value: unknown, space: string, path: string[] = [], from = 0): Written {
  if (typeof value !== "object" || value === null) return { text: JSON.stringify(value), places: [] };
  const isList = Array.isArray(value);
  let text = `${isList ? "[" : "{"}${space}`;
  const places: Written["places"] = [];
  for (const [index, [name, item]] of Object.entries(value).entries()) {
    if (index > 0) text += `${space},${space}`;
    const way = [...path, name];
    places.push([way, from + text.length]);
    if (!isList) text += `${JSON.stringify(name)}${space}:${space}`;
    const inner = written(item, space, way, from + text.length);
    text += inner.text;
    places.push(...inner.places);
  }
  return { text: `${text}${space}${isList ? "]" : "}"}`, places };
}

test("each place of a text of JSON is found where it was written", () => {
  const space = fc.constantFrom("", " ", "\n\t", "\r\n");
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), space, (value, given) => {
      const { text, places } = written(value, given);
      expect(places.map(([path]) => [path, offsetOf(text, path)])).toEqual(places);
    }),
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
