import { existsSync } from "node:fs";
import { cp, mkdtemp, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { operationsOf } from "../../scripts/document/operations.ts";
import type { OpenApiDocument } from "../../scripts/document/types.ts";
import { changeCounts, generate, generatedFiles } from "../../scripts/generate/generate.ts";
import type { ParametersValidator } from "../../scripts/generate/validators/runtime.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { sampleDocument } from "./copies.ts";

let document: OpenApiDocument;
let first: Awaited<ReturnType<typeof generate>>;
const area = temporaryFolder(afterAll);
let folder: string;

beforeAll(async () => {
  document = await sampleDocument();
  first = await generate({ document, folder: join(area, "whole") });
});
beforeEach(async () => {
  folder = join(await mkdtemp(join(area, "run-")), "generated");
});

/** Puts everything that is generated from the document into the folder. */
const generatedBefore = (): Promise<void> => cp(join(area, "whole"), folder, { recursive: true });
/** The document with another value at one of its roots. */
const withTable = (table: Partial<OpenApiDocument>): OpenApiDocument => ({ ...document, ...table });
const read = (file: string): Promise<string> => readFile(join(folder, file), "utf8");
const filesOf = async (): Promise<string[]> => (await readdir(folder, { recursive: true })).sort();

describe("what is written", () => {
  test("everything at first, nothing the second time", async () => {
    expect(new Set(first.map(({ status }) => status))).toEqual(new Set(["created"]));
    expect(first.map(({ file }) => file)).toContain("validators/requests.js");
    await generatedBefore();
    const second = await generate({ document, folder });
    expect(changeCounts(second)).toBe(`${first.length} unchanged`);
    expect((await filesOf()).filter((file) => file.endsWith(".tmp"))).toEqual([]);
  });

  test("what differs, and what nothing makes any more is removed", async () => {
    await generatedBefore();
    await writeFile(join(folder, "limits.ts"), "edited by hand");
    await writeFile(join(folder, "validators/old.js"), "from an earlier version");
    const changes = (await generate({ document, folder })).filter(({ status }) => status !== "unchanged");
    expect(changes).toEqual([
      { file: "limits.ts", status: "updated" },
      { file: "validators/old.js", status: "removed" },
    ]);
    expect(await read("limits.ts")).toContain("requestsPerMinute: 120");
    expect(existsSync(join(folder, "validators/old.js"))).toBe(false);
  });

  test("nothing when asked to check, and the same is reported", async () => {
    const reported = await generate({ document, folder, check: true });
    expect(existsSync(folder)).toBe(false);
    expect(reported).toEqual(first);
  });

  test("the document that is given stays as it is", async () => {
    const before = structuredClone(document);
    await generatedFiles(document);
    expect(document).toEqual(before);
  });
});

test("a field with a default may be left out", async () => {
  const properties = { size: { type: "string", description: "d", maxLength: 9, default: "small" } };
  const Box = { type: "object", description: "d", properties };
  const components = { ...document.components, schemas: { ...document.components.schemas, Box } };
  const files = await generatedFiles(withTable({ components }));
  expect(files.get("types.ts")).toMatch(/^\s+size\?: string;$/m);
});

describe("query parameters", () => {
  let files: Map<string, string>;
  let validators: { requests: { listNotes: { parameters: ParametersValidator } } };
  beforeAll(async () => {
    files = new Map(await generatedFiles(document));
    const code = Buffer.from(files.get("validators/requests.js") ?? "").toString("base64");
    validators = await import(`data:text/javascript;base64,${code}`);
  });
  const parse = (query: string) =>
    validators.requests.listNotes.parameters.parse({ query: new URLSearchParams(query) });

  test("are read as the types of their schemas", () => {
    expect(parse("limit=10&archived=false&kind=memo&kind=letter&ids=1,2&more=x")).toEqual({
      values: {
        path: {},
        query: { limit: 10, archived: false, kind: ["memo", "letter"], ids: [1, 2] },
        header: {},
      },
      errors: null,
    });
    expect(parse("archived=true&kind=memo").values.query).toEqual({ archived: true, kind: ["memo"] });
  });

  test.for([
    ["limit=10", "/query", "required"],
    ["archived=yes", "/query/archived", "type"],
    ["archived=true&limit=0", "/query/limit", "minimum"],
    ["archived=true&limit=1.5", "/query/limit", "type"],
    ["archived=true&limit=1&limit=2", "/query/limit", "type"],
    ["archived=true&limit=1e3", "/query/limit", "type"],
    ["archived=true&limit=0x1", "/query/limit", "type"],
    ["archived=true&limit=", "/query/limit", "type"],
    ["archived=true&kind=a&kind=b&kind=c", "/query/kind", "maxItems"],
    ["archived=true&ids=1,x", "/query/ids/1", "type"],
  ])("%s violates %s %s", ([query = "", instancePath, keyword]) => {
    expect(parse(query).errors).toEqual([expect.objectContaining({ instancePath, keyword })]);
    const { parameters } = validators.requests.listNotes;
    expect(parameters({ query: new URLSearchParams(query) })).toBe(false);
    expect(parameters.errors).toEqual(parse(query).errors);
  });

  test("are named in the operations and in the client's table, with their types", () => {
    const names = '["limit", "archived", "kind", "ids"]';
    expect(files.get("operations.ts")).toContain(`queryParameters: ${names}`);
    expect(files.get("client/table.ts")).toContain(
      `export const listNotes = ["GET", "/api/v1/notes/list", undefined, ${names}] as const satisfies Row;`,
    );
    const model = files.get("client/models.ts")?.split("export interface ListNotesQuery ")[1];
    expect(model?.replaceAll(/\/\*[\s\S]*?\*\/|\s/g, "")).toMatch(
      /^\{limit\?:number;archived:boolean;kind\?:Kind\[\];ids\?:number\[\];\}/,
    );
    expect(files.get("client/paths.ts")).toMatch(
      /query: \{\s+limit\?: components\["parameters"\]\["Limit"\];/,
    );
  });

  test("in an unsupported style are an error", async () => {
    const [parameter] = operationsOf(document)[2]?.parameters ?? [];
    const parameters = { ...document.components.parameters, Limit: { ...parameter, style: "deepObject" } };
    const components = { ...document.components, parameters } as OpenApiDocument["components"];
    await expect(generatedFiles(withTable({ components }))).rejects.toThrow(
      "the parameter limit has the unsupported style deepObject",
    );
  });
});

describe("a document that cannot be generated from changes no file and says why", () => {
  const faults: [name: string, table: () => Partial<OpenApiDocument>, message: string][] = [
    [
      "a limit that points at nothing",
      () => ({
        "x-limits": {
          long: { description: "d", unit: "u", schema: "#/components/schemas/Titel", keyword: "maxLength" },
        },
      }),
      "openapi/limits.yaml: long: there is no number at #/components/schemas/Titel/maxLength",
    ],
    [
      "a limit that points at a keyword without a number",
      () => ({
        "x-limits": {
          long: { description: "d", unit: "u", schema: "#/components/schemas/Title", keyword: "type" },
        },
      }),
      "openapi/limits.yaml: long: there is no number at #/components/schemas/Title/type",
    ],
    [
      "a duplicate id",
      () => ({ "x-errors": [...document["x-errors"], ...document["x-errors"].slice(0, 1)] }),
      "x-errors: duplicate id 401.unauthorized",
    ],
    [
      "a header with different names in responses",
      () => ({
        components: {
          ...document.components,
          headers: { ...document.components.headers, Id: { description: "d", schema: {} } },
        },
        "x-gateway-responses": { "404": withHeader("X-One"), "405": withHeader("X-Other") },
      }),
      "the header component Id is used as X-One and as X-Other",
    ],
    [
      "a lifecycle without states",
      () => ({
        "x-lifecycles": { note: { description: "d", schema: "#/components/schemas/Note", transitions: [] } },
      }),
      "openapi/lifecycles.yaml: note: there is no enum at #/components/schemas/Note",
    ],
    [
      "a format that no validator knows",
      () => ({ components: withTitle({ type: "string", format: "runes" }) }),
      'the schema cannot be compiled: unknown format "runes"',
    ],
    [
      "a keyword that does not go with the type",
      () => ({ components: withTitle({ type: "string", maxItems: 3 }) }),
      "the schema cannot be compiled: strict mode",
    ],
    [
      "a pattern that is none",
      () => ({ components: withTitle({ type: "string", pattern: "(" }) }),
      "the schema cannot be compiled: ",
    ],
  ];
  const withTitle = (title: object): OpenApiDocument["components"] => ({
    ...document.components,
    schemas: { ...document.components.schemas, Title: title as Record<string, unknown> },
  });
  const withHeader = (name: string) => ({
    description: "d",
    headers: { [name]: { $ref: "#/components/headers/Id" } },
  });
  test.for(faults)("%s", async ([, table, message]) => {
    await generatedBefore();
    const before = await Promise.all((await filesOf()).map((file) => read(file).catch(() => "")));
    await expect(generate({ document: withTable(table()), folder })).rejects.toThrow(message);
    expect(await Promise.all((await filesOf()).map((file) => read(file).catch(() => "")))).toEqual(before);
  });
});
