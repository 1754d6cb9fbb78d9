import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, readFile, symlink, truncate, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { parse, stringify } from "yaml";
import { root } from "../../scripts/common/paths.ts";
import { compare, type DiffOptions, runDiff } from "../../scripts/diff/run.ts";
import { temporaryFolder } from "../temporary-folder.ts";

// A project of another team: a split document whose files lie above and beside it.
const folder = temporaryFolder(afterAll);
const at = (file: string): string => join(folder, file);
const git = (...args: string[]): string =>
  execFileSync("git", ["-c", "user.name=T", "-c", "user.email=t@example.com", ...args], {
    cwd: folder,
    encoding: "utf8",
  });
const write = async (file: string, text: string | Buffer): Promise<void> => {
  await mkdir(dirname(at(file)), { recursive: true });
  await writeFile(at(file), text);
};

const files = {
  "api/openapi.yaml":
    "openapi: 3.1.0\ninfo: { title: Pets, version: '1' }\npaths:\n  /pets: { $ref: paths/pets.yaml }\n",
  "api/paths/pets.yaml": `get:
  operationId: listPets
  parameters: [{ $ref: "../../shared/parameters.yaml#/Limit" }]
  responses:
    "200":
      description: Pets.
      content: { application/json: { schema: { type: array, items: { $ref: ../models/Pêt.yaml } } } }
`,
  "api/models/Pêt.yaml": `type: object
properties:
  name: { type: string, maxLength: 10 }
  owner: { $ref: "../../shared/people.json#/definitions/Person" }
`,
  "shared/parameters.yaml": "Limit: { name: limit, in: query, schema: { type: integer, minimum: 1 } }\n",
  "shared/people.json":
    '{ "definitions": { "Person": { "type": "object", "properties": { "pet": { "$ref": "../api/models/Pêt.yaml" } } } } }',
};

beforeAll(async () => {
  for (const [file, text] of Object.entries(files)) await write(file, text);
  git("init", "--quiet", "--initial-branch", "main");
  git("add", ".");
  git("commit", "--quiet", "-m", "One: two");
  // A branch without one of the files.
  git("switch", "--quiet", "--create", "broken");
  git("rm", "--quiet", "api/models/Pêt.yaml");
  git("commit", "--quiet", "-m", "Two");
  git("switch", "--quiet", "main");
  await write("api/models/Pêt.yaml", files["api/models/Pêt.yaml"].replace("10", "20"));
  await write("shared/parameters.yaml", files["shared/parameters.yaml"].replace("minimum: 1", "minimum: 5"));
});

const cwd = vi.spyOn(process, "cwd");
afterAll(() => cwd.mockRestore());

/** The places of the breaking changes, in a folder of the project. */
async function places(from: string, options: DiffOptions): Promise<string[]> {
  cwd.mockReturnValue(at(from));
  const { differences } = await compare(options);
  return differences.map(({ place, message }) => `${place?.file}:${place?.line} ${message.split(" in ")[0]}`);
}

const found = (pet: string, parameters: string): string[] => [
  `${parameters}:1 Narrows \`minimum of limit\``,
  `${pet}:3 Widens \`maxLength of name\``,
];

test("a split document of any layout is followed, in a revision and in the working tree, with the file of each change", async () => {
  expect(await places("", { base: "HEAD:api/openapi.yaml", revision: at("api/openapi.yaml") })).toEqual(
    found("api/models/Pêt.yaml", "shared/parameters.yaml"),
  );
  const back = await places("", { base: at("api/openapi.yaml"), revision: "HEAD:api/openapi.yaml" });
  expect(back.map((text) => text.split(" ")[0]).sort()).toEqual([
    "api/models/Pêt.yaml:3",
    "shared/parameters.yaml:1",
  ]);
});

test.each([
  "HEAD:api/openapi.yaml",
  "HEAD:./openapi.yaml",
  "HEAD^{/One: two}:api/openapi.yaml",
  ":api/openapi.yaml",
])("%s means in a folder of the repository what it means to git", async (base) => {
  const options = { base, revision: at("api/openapi.yaml") };
  expect(await places("api", options)).toEqual(found("models/Pêt.yaml", at("shared/parameters.yaml")));
});

test("annotations name files from the top of the repository", async () => {
  const log = vi.spyOn(console, "log").mockImplementation(() => {});
  cwd.mockReturnValue(at("api"));
  await runDiff({ base: "HEAD:api/openapi.yaml", revision: at("api/openapi.yaml"), format: "github" });
  const text = log.mock.calls.join("\n");
  log.mockRestore();
  expect(text.match(/file=[^,]*/g)).toEqual(["file=shared/parameters.yaml", "file=api/models/Pêt.yaml"]);
});

test.each([
  ["HEAD:nosuch.yaml", "HEAD has no file nosuch.yaml"],
  [":nosuch.yaml", "the index has no file nosuch.yaml"],
  ["HEAD:api", "HEAD has no file api"],
  ["HEAD:--output=out.yaml", "HEAD has no file --output=out.yaml"],
  ["HEAD:--remote=https://127.0.0.1:1/x", "HEAD has no file --remote=https:/127.0.0.1:1/x"],
  ["--output=out.yaml", "--output=out.yaml is not a file, a release or a git revision"],
  ["--output=out.yaml:api/openapi.yaml", "--output=out.yaml is not a file, a release or a git revision"],
  [
    "broken:api/openapi.yaml",
    'cannot resolve "../models/Pêt.yaml": there is no file broken:api/models/Pêt.yaml',
  ],
])(
  "%s cannot be compared; the message has the names of git, and git gets no option",
  async (base, message) => {
    cwd.mockReturnValue(folder);
    const error = await compare({ base, revision: at("api/openapi.yaml") }).catch((one: Error) => one);
    expect(error).toMatchObject({ exitCode: 2, message: expect.stringContaining(message) });
    expect(`${error}`).not.toContain(tmpdir());
    expect(Object(error).hint).not.toContain("Nothing was written");
    if (base.startsWith("broken:"))
      expect(error).toMatchObject({ hint: "Fix that line, or name another document." });
    expect(existsSync(at("out.yaml"))).toBe(false);
    // The names of files in a revision are not files here.
    expect(`${error}`).not.toMatch(/[\da-f]{40}/);
  },
);

const own = { base: join(root, "openapi/releases/1.0.0.json") };
const release = parse(await readFile(own.base, "utf8"));

test.each([
  ["UTF-8", Buffer.from(`\uFEFF${JSON.stringify(release)}`), "json"],
  ["UTF-8 in YAML", Buffer.from(`\uFEFF${stringify(release)}`), "yaml"],
  ["little-endian UTF-16", Buffer.from(`\uFEFF${JSON.stringify(release)}`, "utf16le"), "json"],
  ["big-endian UTF-16", Buffer.from(`\uFEFF${stringify(release)}`, "utf16le").swap16(), "yaml"],
])("a document in %s with a byte order mark is read", async (_, bytes, extension) => {
  await write(`marked.${extension}`, bytes);
  expect((await compare({ ...own, revision: at(`marked.${extension}`) })).differences).toEqual([]);
});

test("a byte order mark in a file of a split document is read", async () => {
  await write("marked/openapi.yaml", `\uFEFF${files["api/openapi.yaml"].replace("paths/", "")}`);
  await write(
    "marked/pets.yaml",
    `\uFEFFget: { operationId: listPets, responses: { "200": { description: "" } } }`,
  );
  const options = { base: at("marked/openapi.yaml"), revision: at("marked/openapi.yaml") };
  expect((await compare(options)).differences).toEqual([]);
});

test("merge keys mean the same in one file and in a split one, and have their line", async () => {
  const responses = (text: string, more = ""): string => `openapi: 3.1.0
x-shared: &shared
  "404": { description: None. }
  "410": { description: Gone. }
paths:
  /pets:
    get:
      operationId: listPets
      responses: { ${text}, "200": { description: Pets. } }
${more}`;
  await write("keys/more.yaml", "get: { operationId: more, responses: {} }");
  await write("keys/plain.yaml", responses('"404": { description: None. }, "410": { description: Gone. }'));
  await write("keys/merged.yaml", responses("<<: *shared"));
  await write("keys/split.yaml", responses("<<: *shared", "  /more: { $ref: more.yaml }\n"));
  const kinds = async (base: string, revision: string): Promise<string[]> =>
    (await compare({ base: at(base), revision: at(revision) })).differences.map(({ kind }) => kind);
  expect(await kinds("keys/plain.yaml", "keys/merged.yaml")).toEqual([]);
  expect(await kinds("keys/merged.yaml", "keys/split.yaml")).toEqual(["endpoint-added"]);
  await write("keys/changed.yaml", responses("<<: *shared").replace("Gone.", "Went."));
  const { differences } = await compare({ base: at("keys/plain.yaml"), revision: at("keys/changed.yaml") });
  const place = differences.find(({ pointer }) => pointer.includes("/410/"))?.place;
  expect(place?.line).toBe(4);
});

test("a file of another host is read with --allow-remote only, and within a time limit", async () => {
  let requests = 0;
  const server = createServer((request, response) => {
    requests += 1;
    if (request.url === "/pets.yaml")
      response.end("get: { operationId: listPets, responses: { '200': { description: '' } } }");
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  try {
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const remote = async (path: string): Promise<void> =>
      write("remote.yaml", `openapi: 3.1.0\npaths:\n  /pets: { $ref: "${base}${path}" }\n`);
    await remote("/pets.yaml");
    const options = { base: at("remote.yaml"), revision: at("remote.yaml") };
    await expect(compare(options)).rejects.toMatchObject({
      exitCode: 2,
      message: expect.stringMatching(/remote\.yaml:3:\d+: cannot resolve "http.*--allow-remote/),
    });
    expect(requests).toBe(0);
    expect((await compare({ ...options, allowRemote: true })).differences).toEqual([]);
    expect(requests).toBeGreaterThan(0);

    const timeout = vi
      .spyOn(AbortSignal, "timeout")
      .mockImplementation(() => AbortSignal.abort(new Error("late")));
    await remote("/never");
    await expect(compare({ ...options, allowRemote: true })).rejects.toThrow(
      /cannot resolve "http.*: .*late/,
    );
    timeout.mockRestore();
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

const documentWith = (schema: object, parts: object = {}): string =>
  JSON.stringify({
    openapi: "3.1.0",
    paths: { "/a": { post: { requestBody: { content: { "application/json": { schema } } }, ...parts } } },
    components: { schemas: { Known: { type: "string" }, Anything: true } },
  });
const absent = { $ref: "#/components/schemas/Absent" };
const bodySchema = "/paths/~1a/post/requestBody/content/application~1json/schema";

test.each([
  [bodySchema, absent, {}],
  [`${bodySchema}/allOf/0`, { allOf: [absent] }, {}],
  [`${bodySchema}/properties/default`, { properties: { default: absent } }, {}],
  ["/paths/~1a/post/parameters/0", {}, { parameters: [absent] }],
  ["/paths/~1a/post/responses/default", {}, { responses: { default: absent } }],
])("an unresolved $ref at %s is an error in each document", async (pointer, schema, parts) => {
  await write("plain.json", documentWith({ type: "string" }));
  await write("unresolved.json", documentWith(schema, parts));
  const expected = {
    exitCode: 2,
    message: expect.stringMatching(
      /unresolved\.json:1:\d+: cannot resolve "#\/components\/schemas\/Absent" at /,
    ),
    hint: "Fix that line, or name another document.",
  };
  const [plain, other] = [at("plain.json"), at("unresolved.json")];
  await expect(compare({ base: plain, revision: other })).rejects.toMatchObject(expected);
  await expect(compare({ base: other, revision: plain })).rejects.toThrow(` at ${pointer}/$ref`);
});

const operation = (parts: object): object => ({
  "/a": { get: { operationId: "a", responses: {}, ...parts } },
});
const toOne = { $ref: "#/components/KIND/One" };

test.each<[what: string, kind: string, paths: object]>([
  ["path items", "pathItems", { "/a": toOne }],
  ["parameters", "parameters", operation({ parameters: [toOne] })],
  ["responses", "responses", operation({ responses: { "200": toOne } })],
  ["request bodies", "requestBodies", operation({ requestBody: toOne })],
  ["headers", "headers", operation({ responses: { "200": { description: "", headers: { A: toOne } } } })],
  ["schemas", "schemas", operation({ requestBody: { content: { "application/json": { schema: toOne } } } })],
])(
  "a cycle of $refs between %s is an error that names it, in one file and over two",
  async (_, kind, paths) => {
    const documentOf = (one: string, other: string, more = {}): string =>
      JSON.stringify({
        openapi: "3.1.0",
        paths,
        components: { [kind]: { One: { $ref: one }, Other: { $ref: other } } },
        ...more,
      }).replaceAll("KIND", kind);
    const [one, other] = ["#/components/KIND/One", "#/components/KIND/Other"];
    await write("cycle.json", documentOf(other, one));
    await write("self.json", documentOf("self.json#/components/KIND/One", one));
    await write("one.json", documentOf(`other.json${other}`, one));
    await write("other.json", documentOf(other, `one.json${one}`));
    for (const file of ["cycle.json", "self.json", "one.json"])
      await expect(compare({ ...own, revision: at(file) }), file).rejects.toMatchObject({
        exitCode: 2,
        message: expect.stringMatching(new RegExp(`${file}:.* there is a cycle of \\$refs in `)),
        hint: "Fix that line, or name another document.",
      });
  },
);

test.each([
  ["the schema true", { $ref: "#/components/schemas/Anything" }],
  ["an example", { type: "object", example: absent, examples: [absent] }],
  ["a default and constants", { default: absent, const: absent, enum: [absent] }],
  ["an extension", { "x-rules": absent }],
])("a $ref to or in %s is no error", async (_, schema) => {
  await write("data.json", documentWith(schema));
  expect((await compare({ base: at("data.json"), revision: at("data.json") })).differences).toEqual([]);
});

test("a file is read from the repository of the root file only, and no URL but http and https", async () => {
  const outside = temporaryFolder();
  await writeFile(join(outside, "list.yaml"), "[a]");
  await symlink(join(outside, "list.yaml"), at("linked.yaml"));
  execFileSync("mkfifo", [at("pipe.yaml")]);
  await writeFile(at("large.yaml"), "");
  await truncate(at("large.yaml"), 65 * 2 ** 20);
  const bomb = [..."bcdefghi"].map(
    (name, at) => `${name}: &${name} [${Array(10).fill(`*${"abcdefgh"[at]}`)}]`,
  );
  await write("bomb.yaml", `a: &a [1]\n${bomb.join("\n")}\n`);
  const cases: [reference: string, reason: string][] = [
    [join(outside, "list.yaml"), `cannot resolve "${outside}/list.yaml": it is outside of ${folder}`],
    ["linked.yaml", `it is outside of ${folder}`],
    ["/dev/zero", `it is outside of ${folder}`],
    ["//127.0.0.1/a.yaml", "cannot resolve"],
    ["pipe.yaml", "it is not a file of at most 64 MB"],
    ["large.yaml", "it is not a file of at most 64 MB"],
    ["bomb.yaml", "bomb.yaml:1:1: invalid YAML: its aliases repeat too much"],
    ["HTTP://127.0.0.1:1/a.yaml", "--allow-remote"],
    ["ftp://127.0.0.1/a.yaml", "only URLs of http: and https are read"],
    ["FILE:///etc/passwd", "only URLs of http: and https are read"],
    ["data:application/json,{}", "only URLs of http: and https are read"],
  ];
  for (const [reference, reason] of cases) {
    await write("leading.yaml", `openapi: 3.1.0\npaths:\n  /a: { $ref: "${reference}" }\n`);
    const error = compare({ ...own, revision: at("leading.yaml") });
    await expect(error, reference).rejects.toMatchObject({
      exitCode: 2,
      message: expect.stringContaining(reason),
    });
  }
  // Without a repository, the folder of the root file counts.
  const one = "openapi: 3.1.0\npaths:\n  /a: { $ref: ";
  await mkdir(join(outside, "api/paths"), { recursive: true });
  await writeFile(join(outside, "api/paths/a.yaml"), "get: { responses: {} }");
  await writeFile(join(outside, "api/inside.yaml"), `${one}paths/a.yaml }`);
  await writeFile(join(outside, "api/above.yaml"), `${one}../list.yaml }`);
  expect(await compare({ ...own, revision: join(outside, "api/inside.yaml") })).toBeDefined();
  await expect(compare({ ...own, revision: join(outside, "api/above.yaml") })).rejects.toThrow(
    `outside of ${outside}/api`,
  );
});

test.each([
  ["json", (inner: string) => `{"openapi":"3.1.0","x-deep":${inner}}`],
  ["yaml", (inner: string) => `openapi: 3.1.0\nx-deep: ${inner}`],
])("a document of 4000 levels is rejected (%s)", async (extension, documentOf) => {
  for (const levels of [600, 4000]) {
    await write(`deep.${extension}`, documentOf("[".repeat(levels) + "]".repeat(levels)));
    const revision = at(`deep.${extension}`);
    await expect(compare({ ...own, revision })).rejects.toMatchObject({
      exitCode: 2,
      message: expect.stringContaining(`deep.${extension} has more than 500 levels`),
    });
  }
});

test("a file of a split document may have 100 levels, as the guide says", async () => {
  for (const [levels, isRead] of [
    [90, true],
    [110, false],
  ] as const) {
    await write("part.json", "[".repeat(levels) + "]".repeat(levels));
    await write("split.json", `{"openapi":"3.1.0","paths":{},"x-deep":{"$ref":"./part.json"}}`);
    const compared = compare({ ...own, revision: at("split.json") });
    if (isRead) await compared;
    else
      await expect(compared).rejects.toMatchObject({
        exitCode: 2,
        message: expect.stringMatching(/part\.json.*100/s),
      });
  }
});

test("schemas that contain each other under new names are compared in no time", async () => {
  // Each of 40 schemas leads to the next one in four ways: 4^40 ways through them.
  const documentOf = (prefix: string): string => {
    const schemas = Array.from({ length: 40 }, (_, index) => {
      const next = { $ref: `#/components/schemas/${prefix}${(index + 1) % 40}` };
      return [
        `${prefix}${index}`,
        { type: "object", properties: { one: next, other: { allOf: [next, next] } }, allOf: [next, next] },
      ];
    });
    const schema = { $ref: `#/components/schemas/${prefix}0` };
    const responses = { "200": { description: "", content: { "application/json": { schema } } } };
    return JSON.stringify({
      openapi: "3.1.0",
      paths: { "/a": { get: { operationId: "a", responses } } },
      components: { schemas: Object.fromEntries(schemas) },
    });
  };
  await write("old.json", documentOf("Old"));
  await write("new.json", documentOf("New"));
  const { counts } = await compare({ base: at("old.json"), revision: at("new.json") });
  expect(counts).toMatchObject({ breaking: 0, additive: 0 });
});

test("an edition of this contract has one difference from itself with one nullable removed", async () => {
  const edition = await readFile(join(root, "generated/openapi-3.0.json"), "utf8");
  await write("edition.json", edition);
  const places = [...edition.matchAll(/,\s*"nullable": true/g)];
  expect(places.length).toBeGreaterThan(10);
  for (const { index, 0: text } of places) {
    await write("changed.json", edition.slice(0, index) + edition.slice(index + text.length));
    const { differences } = await compare({ base: at("edition.json"), revision: at("changed.json") });
    expect(differences.map(({ kind }) => kind)).toEqual([expect.stringMatching(/-type-narrowed$/)]);
  }
});
