import { mkdir, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { UserError } from "../../lib/user-error.ts";
import { bundle } from "../../scripts/bundle/bundle.ts";
import { valueAtPointer } from "../../scripts/document/json-pointer.ts";
import { type Copy, onCopy, sampleDocument } from "./copies.ts";

/** The error of bundling the broken copy, with file names relative to the copy. */
const failureOf = (breaking: (copy: Copy) => Promise<unknown>) =>
  onCopy("sample", async (copy) => {
    await breaking(copy);
    const failure = await bundle(copy.source).then(
      () => undefined,
      (error: unknown) => error,
    );
    if (!(failure instanceof UserError)) throw failure ?? new Error("the broken document was bundled");
    const message = failure.message.replaceAll(`${copy.folder}/`, "");
    return { message, hint: failure.hint };
  });

describe.concurrent("a valid document", () => {
  test("makes every reference a pointer inside the bundle", async () => {
    const text = JSON.stringify(await sampleDocument());
    const references = [...text.matchAll(/"\$ref":"([^"]*)"/g)].map(([, reference = ""]) => reference);
    expect(references.length).toBeGreaterThan(10);
    expect(references.filter((reference) => !reference.startsWith("#/components/"))).toEqual([]);
  });

  test("resolves the tables of the root and keeps their rows", async () => {
    const document = await sampleDocument();
    expect(document["x-errors"].map(({ id }) => id)).toEqual(["401.unauthorized", "404.not_found.path"]);
    expect(document["x-requirements"].notes?.map(({ id }) => id)).toEqual(["NOTE-1", "NOTE-2"]);
    expect(document["x-unspecified"].map(({ id }) => id)).toEqual(["OPEN-1"]);
  });

  test("makes components of gateway responses, and of what they refer to", async () => {
    const document = await sampleDocument();
    expect(document["x-gateway-responses"]).toEqual({
      "404": { $ref: "#/components/responses/UnknownPath" },
    });
    expect(
      valueAtPointer(document, "/components/responses/UnknownPath/headers/X-Service-Request-Id"),
    ).toEqual({
      $ref: "#/components/headers/X-Service-Request-Id",
    });
  });

  test("follows gateway responses to the last component", () =>
    onCopy("sample", async ({ source, replace }) => {
      await replace("paths/notes.yaml", '"401": { $ref: ../responses/Unauthorized.yaml }', "");
      await replace("paths/notes-id.yaml", '"401": { $ref: ../responses/Unauthorized.yaml }', "");
      const document = await bundle(source);
      expect(Object.keys(document.components.responses ?? {})).toEqual(["UnknownPath"]);
      expect(Object.keys(document.components.schemas ?? {})).toContain("Error");
    }));

  test("lists components by name, whatever the order of their use", async () => {
    const document = await sampleDocument();
    const names = Object.keys(document.components.schemas ?? {});
    expect(names).toEqual([...names].sort());
    expect(Object.keys(document).slice(0, 7)).toEqual([
      ...["openapi", "info", "servers", "security", "tags", "paths", "components"],
    ]);
  });

  test("keeps a description beside a reference", () =>
    onCopy("sample", async ({ source, replace }) => {
      await replace("schemas/Note.yaml", "$ref: ./Title.yaml", "$ref: ./Title.yaml, description: Its name.");
      expect(valueAtPointer(await bundle(source), "/components/schemas/Note/properties/title")).toEqual({
        $ref: "#/components/schemas/Title",
        description: "Its name.",
      });
    }));

  test("puts the properties of flattened schemas after those of the schemas that list them", () =>
    onCopy("sample", async ({ source, replace }) => {
      await writeFile(
        join(dirname(source), "schemas/Options.yaml"),
        "x-flatten: true\nproperties: { size: {} }\n",
      );
      await replace(
        "schemas/Error.yaml",
        "type: object",
        "type: object\nallOf: [{ $ref: Options.yaml }, { minProperties: 1 }]",
      );
      const { schemas = {} } = (await bundle(source)).components;
      expect(Object.keys(schemas)).not.toContain("Options");
      expect(Object.keys(schemas.Error?.properties ?? {}).at(-1)).toBe("size");
      expect(schemas.Error).toMatchObject({ allOf: [{ minProperties: 1 }] });
    }));

  test("keeps the keys of a table beside a reference", () =>
    onCopy("sample", async ({ source, replace }) => {
      await replace(
        "openapi.yaml",
        "notes: { $ref: requirements/notes.yaml }",
        "notes: [{ $ref: row.yaml, kind: client }]",
      );
      await writeFile(join(dirname(source), "row.yaml"), "{ id: NOTE-9, kind: shape }");
      expect((await bundle(source))["x-requirements"].notes).toEqual([{ id: "NOTE-9", kind: "client" }]);
    }));

  test.for([
    ["{ all: {} }", "all", ["addNote", "getNote", "listNotes"]],
    ["{ posts: { method: post } }", "posts", ["addNote"]],
    ["{ posts: { method: post } }", "[getNote, posts, addNote]", ["getNote", "addNote"]],
    ["{ some: { tag: Notes, parameter: [id, limit] } }", "some", ["getNote", "listNotes"]],
    ["{ some: [{ requestBody: true }, { query: true }] }", "some", ["addNote", "listNotes"]],
  ] as const)("with the selectors %s, the operations %s are %o", ([selectors, operations, ids]) =>
    onCopy("sample", async ({ source, append, replace }) => {
      await append("openapi.yaml", `x-operation-selectors: ${selectors}\n`);
      await replace("requirements/notes.yaml", "operations: [addNote]", `operations: ${operations}`);
      const document = await bundle(source);
      expect(document).not.toHaveProperty("x-operation-selectors");
      expect(document["x-requirements"].notes?.[0]?.operations).toEqual(ids);
    }),
  );

  test("replaces limits in texts by their numbers", () =>
    onCopy("sample", async ({ source, replace }) => {
      await replace("schemas/Title.yaml", "What the note is called.", "At most {{titleLength}} characters.");
      expect(valueAtPointer(await bundle(source), "/components/schemas/Title/description")).toBe(
        "At most 10 characters.",
      );
    }));
});

describe.concurrent("an invalid document gives one message with a position, and no output", () => {
  const faults: [name: string, breaking: (copy: Copy) => Promise<unknown>, message: string | RegExp][] = [
    [
      "a reference to a missing file",
      ({ replace }) => replace("paths/notes.yaml", "../schemas/Note.yaml", "../schemas/Nope.yaml"),
      'paths/notes.yaml:27:19: cannot resolve "../schemas/Nope.yaml": there is no file schemas/Nope.yaml',
    ],
    [
      "a reference on a line of its own",
      ({ replace }) =>
        replace(
          "paths/notes-id.yaml",
          "{ $ref: ../responses/Unauthorized.yaml }",
          '\n      $ref: "../responses/X.yaml"',
        ),
      'paths/notes-id.yaml:27:7: cannot resolve "../responses/X.yaml": there is no file responses/X.yaml',
    ],
    [
      "a missing file with many references",
      ({ remove }) => remove("schemas/Title.yaml"),
      /^schemas\/\w+Note\.yaml:5:10: cannot resolve "\.\/Title\.yaml": there is no file .* \(and 2 more\)$/,
    ],
    [
      "a pointer to a missing component",
      ({ replace }) => replace("schemas/TextNote.yaml", "./Title.yaml", '"#/components/schemas/Titel"'),
      'schemas/TextNote.yaml:5:10: cannot resolve "#/components/schemas/Titel": it does not exist',
    ],
    [
      "YAML that is not closed",
      ({ append }) => append("paths/notes.yaml", "  bad: [\n"),
      /^paths\/notes\.yaml:3\d:1: invalid YAML: deficient indentation$/,
    ],
    [
      "YAML that is not closed in the root file",
      ({ append }) => append("openapi.yaml", "bad: [\n"),
      /^openapi\.yaml:\d+:\d+: invalid YAML: /,
    ],
    [
      "a duplicate key in a file that is used three times",
      ({ append }) => append("schemas/Title.yaml", "type: string\n"),
      "schemas/Title.yaml:5:1: invalid YAML: duplicated mapping key",
    ],
    [
      "a missing table",
      ({ remove }) => remove("limits.yaml"),
      'openapi.yaml:28:11: cannot resolve "limits.yaml": there is no file limits.yaml',
    ],
    [
      "a table that is not YAML",
      ({ append }) => append("limits.yaml", "  - }bad: [\n"),
      "limits.yaml:3:3: invalid YAML: bad indentation of a mapping entry",
    ],
    [
      "a missing file that only a table refers to",
      ({ replace }) => replace("limits.yaml", "keyword: maxLength", "keyword: { $ref: nope.yaml }"),
      /^limits\.yaml:2:\d+: cannot resolve "nope\.yaml": there is no file nope\.yaml$/,
    ],
    [
      "a missing file that only a gateway response refers to",
      ({ replace }) => replace("responses/UnknownPath.yaml", "../schemas/Error.yaml", "../schemas/E.yaml"),
      /^responses\/UnknownPath\.yaml:6:\d+: cannot resolve "\.\.\/schemas\/E\.yaml": /,
    ],
    [
      "a reference where neither OpenAPI nor JSON Schema has one",
      ({ replace }) =>
        replace(
          "examples/ShortNote.yaml",
          "text: Hello there",
          'text: { $ref: "#/components/schemas/Nope" }',
        ),
      /it does not exist$|unresolved \$ref "/,
    ],
    [
      "two files with the same name",
      async ({ folder, append, replace }) => {
        await mkdir(join(folder, "schemas/old"));
        await rename(join(folder, "schemas/Title.yaml"), join(folder, "schemas/old/Title.yaml"));
        await append("schemas/old/Title.yaml", "minLength: 1\n");
        for (const file of ["TextNote", "FileNote", "Note"]) {
          await replace(`schemas/${file}.yaml`, "./Title.yaml", "./old/Title.yaml");
        }
      },
      "components/schemas/Title must have the name of its file: there is no schemas/Title.yaml",
    ],
    [
      "aliases that lead to more levels than can be read",
      ({ append }) =>
        append(
          "schemas/Title.yaml",
          `x-deep: &a0 []\n${Array.from({ length: 5000 }, (_, at) => `x-${at}: &a${at + 1} [*a${at}]\n`).join("")}`,
        ),
      "schemas/Title.yaml:1:1: invalid YAML: more than 500 levels",
    ],
    [
      "lists in lists",
      ({ append }) => append("schemas/Title.yaml", `x-deep: ${"[".repeat(5000)}${"]".repeat(5000)}\n`),
      /^schemas\/Title\.yaml:5:\d+: invalid YAML: nesting exceeded maxDepth/,
    ],
    [
      "an unknown operation",
      ({ replace }) => replace("requirements/notes.yaml", "operations: [addNote]", "operations: [addNotes]"),
      /^requirements\/notes\.yaml:1:\d+: no operation and no selector is called "addNotes"$/,
    ],
    [
      "a selector with an unknown condition",
      ({ append }) => append("openapi.yaml", "x-operation-selectors: { posts: { status: post } }\n"),
      /^openapi\.yaml:\d+:\d+: the selector posts has the unknown condition status$/,
    ],
    [
      "a selector that selects nothing",
      ({ append }) => append("openapi.yaml", "x-operation-selectors: { puts: { method: put } }\n"),
      /^openapi\.yaml:\d+:\d+: the selector puts selects no operation$/,
    ],
    [
      "a selector called like an operation",
      ({ append }) => append("openapi.yaml", "x-operation-selectors: { getNote: {} }\n"),
      /^openapi\.yaml:\d+:\d+: the selector getNote has the name of an operation$/,
    ],
    [
      "a limit that no row has, named in a text",
      ({ replace }) => replace("schemas/Title.yaml", "What the note is called.", "Up to {{nope}}."),
      "/components/schemas/Title/description names the unknown limit {{nope}}",
    ],
  ];
  test.for(faults)("%s", async ([, breaking, message]) => {
    const failure = await failureOf(breaking);
    expect(failure.message).toMatch(message);
    expect(failure.message).not.toContain("\n");
    expect(failure.hint).toBeTruthy();
  });

  test("no root file at all", async () => {
    await expect(bundle("/nowhere/openapi.yaml")).rejects.toThrow(
      "there is no document /nowhere/openapi.yaml",
    );
  });
});
