import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { limits } from "../../generated/limits.ts";
import document from "../../generated/openapi.json" with { type: "json" };
import { generatedFolder } from "../../scripts/common/paths.ts";
import { valueAtPointer } from "../../scripts/document/json-pointer.ts";
import { kinds, names, source, withNumbers } from "./source.ts";

const expected = (file: string): unknown => withNumbers(source(file), limits);

describe("nothing of the source is lost in the bundle, word for word", () => {
  test.for(kinds)("every file of %s is a component of its name", (kind) => {
    expect(Object.keys(document.components[kind]).sort()).toEqual(names(kind));
  });

  const files = kinds.flatMap((kind) => names(kind).map((name) => ({ kind, name })));
  test.for(files)("$kind/$name", ({ kind, name }) => {
    expect(valueAtPointer(document, `/components/${kind}/${name}`)).toEqual(expected(`${kind}/${name}.yaml`));
  });

  test("the root, the paths and every table", () => {
    const { components, ...root } = expected("openapi.yaml") as Record<string, Record<string, unknown>>;
    for (const [key, value] of Object.entries(root))
      expect(valueAtPointer(document, `/${key}`), key).toEqual(value);
    expect(document.components.securitySchemes).toEqual(components?.securitySchemes);
    expect(Object.keys(document.paths)).toHaveLength(names("paths").length);
  });
});

test("the bundle in YAML is the bundle in JSON", () => {
  const yaml = readFileSync(join(generatedFolder, "openapi.yaml"), "utf8");
  expect(parse(yaml)).toEqual(document);
  // Many readers still know YAML 1.1 only, in which a bare timestamp is no text.
  expect(parse(yaml, { version: "1.1" })).toEqual(document);
  expect(yaml).not.toMatch(/^\s*[^#\n]*: [&*]a\d+/m);
});

test("the bundle says at its root how it was made", () => {
  expect(Object.keys(document).slice(0, 3)).toEqual(["openapi", "info", "x-generated"]);
  expect(document["x-generated"]).toContain("npm run generate");
});
