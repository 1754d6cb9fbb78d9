import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { stringify } from "yaml";
import { openapiFolder } from "../../scripts/common/paths.ts";
import { frozenRelease } from "../../scripts/diff/inputs.ts";
import { compare, runDiff } from "../../scripts/diff/run.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { type Editable, schema } from "./changes/change.ts";

const release = join(openapiFolder, "releases/1.0.0.json");
const folder = temporaryFolder(afterAll);
const file = (name: string): string => join(folder, name);

beforeAll(async () => {
  const bundle: Editable = await frozenRelease("1.0.0");
  schema(bundle, "Page").properties.total = { type: "integer" };
  await writeFile(file("added.yaml"), stringify(bundle));
  delete schema(bundle, "Bounce").properties.summary;
  schema(bundle, "Subject").description = "A | and\na line.";
  await writeFile(file("broken.json"), JSON.stringify(bundle, null, 2));
  await writeFile(file("list.json"), "[]");
  await writeFile(file("torn.json"), "{");
  await writeFile(file("torn.yaml"), "openapi: 3.1.0\na: b: c\n");
});

async function output(run: () => Promise<number>): Promise<{ exitCode: number; text: string }> {
  const log = vi.spyOn(console, "log").mockImplementation(() => {});
  try {
    const exitCode = await run();
    return { exitCode, text: log.mock.calls.map(([line]) => String(line)).join("\n") };
  } finally {
    log.mockRestore();
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with an escape
const plain = (text: string): string => text.replaceAll(/\u001b\[\d+m/g, "");

test("a document has no differences from itself", async () => {
  const { exitCode, text } = await output(() => runDiff({ base: release, revision: release }));
  expect(exitCode).toBe(0);
  expect(text).toContain("No differences");
});

test("an additive change has exit code 0 and its line in the file", async () => {
  const { exitCode, text } = await output(() => runDiff({ base: release, revision: file("added.yaml") }));
  expect(exitCode).toBe(0);
  expect(text).toContain("/components/schemas/Page/properties/total");
  const line = Number(/added\.yaml:(\d+):/.exec(plain(text))?.[1]);
  const lines = (await readFile(file("added.yaml"), "utf8")).split("\n");
  expect(lines[line - 1]?.trim()).toBe("total:");
});

test("a removed property has exit code 1, with its requirements and advice", async () => {
  const { exitCode, text } = await output(() => runDiff({ base: release, revision: file("broken.json") }));
  expect(exitCode).toBe(1);
  expect(plain(text)).toMatch(/breaking\n {2}Removes the response property `summary`\./);
  expect(plain(text)).toContain("\n  operations: getEmail\n  requirements: VER-3, LOOK-19\n");
  expect(plain(text)).toContain("\n\nVER-2, VER-3, VER-8: see docs/versioning.md#rules\n\n");
  expect(text).toContain("advice: ");
  for (const line of plain(text).split("\n")) if (line.includes(" ")) expect(line.length).toBeLessThan(150);
});

test("--breaking shows only breaking changes, and counts all", async () => {
  const options = { base: release, revision: file("broken.json"), breaking: true };
  const { text } = await output(() => runDiff(options));
  expect(text).not.toContain("properties/total");
  expect(text.replaceAll(/\s+/g, " ")).toContain("1 breaking, 1 additive, 1 editorial");
});

test("JSON has every property of each difference", async () => {
  const options = { base: release, revision: file("broken.json"), format: "json" } as const;
  const { text } = await output(() => runDiff(options));
  const comparison = JSON.parse(text) as Awaited<ReturnType<typeof compare>>;
  expect(comparison.counts).toEqual({ breaking: 1, additive: 1, editorial: 1 });
  expect(comparison.differences[0]).toMatchObject({
    kind: "response-property-removed",
    verdict: "breaking",
    pointer: "/components/schemas/Bounce/properties/summary",
    document: "base",
    requirement: "VER-3",
    operations: ["getEmail"],
    encodes: ["LOOK-19"],
  });
});

test("Markdown escapes the cells of its tables", async () => {
  const options = { base: release, revision: file("broken.json"), format: "markdown" } as const;
  const { text } = await output(() => runDiff(options));
  const rows = text.split("\n").filter((line) => line.startsWith("|"));
  expect(rows.length).toBe(9);
  for (const row of rows) expect(row.replaceAll("\\|", "").split("|").length).toBe(7);
  expect(rows[2]).toContain(" | getEmail | [VER-3](docs/versioning.md#rules), LOOK-19 | ");
});

test("annotations are errors for breaking changes and notices for others", async () => {
  const options = { base: release, revision: file("broken.json"), format: "github" } as const;
  const { text } = await output(() => runDiff(options));
  expect(text).toMatch(/^::error file=[^,]*broken\.json,line=\d+,col=\d+,title=breaking \(VER-3\)::Removes/m);
  expect(text).toMatch(/^::error .* Operations: getEmail\. .* See docs\/versioning\.md#rules\.$/m);
  expect(text.match(/^::notice /gm)).toHaveLength(2);
});

test("the line below annotations runs no command that a file's name has", async () => {
  const revision = file("a\u001B[31m\n##[error]b\n::error::c.json");
  await cp(file("broken.json"), revision);
  const { text } = await output(() => runDiff({ base: release, revision, format: "github" }));
  expect(text).not.toContain("\u001B");
  expect(text).not.toMatch(/^##\[|^::error::/m);
});

test("a change outside paths and components names the operations that it affects", async () => {
  const bundle: Editable = await frozenRelease("1.0.0");
  const [first, second] = bundle["x-errors"];
  const all = [...first.operations];
  bundle["x-errors"].shift();
  second.retry = "backoff";
  const lost = second.operations.shift();
  bundle["x-limits"].subjectLength.unit = "bytes";
  bundle["x-limits"].requestsPerMinute.value = 60;
  bundle["x-limits"].messageLookup.value = 20;
  bundle["x-lifecycles"].membership.transitions[0].to = "cleaned";
  bundle.tags[0]["x-product"] = "other";
  bundle.servers[0].url = "https://api.example.com";
  await writeFile(file("tables.json"), JSON.stringify(bundle));
  const { differences } = await compare({ base: release, revision: file("tables.json") });
  const operationsAt = (pointer: string, document = "revision"): string[] | undefined =>
    differences.find((one) => one.pointer === pointer && one.document === document)?.operations;
  expect(operationsAt("/x-errors/0", "base")).toEqual(all);
  expect(operationsAt("/x-errors/0/retry")).toEqual(second.operations);
  expect(operationsAt("/x-errors/0/operations/0", "base")).toEqual([lost]);
  expect(operationsAt("/x-limits/subjectLength/unit")).toEqual(["sendEmail", "sendBatch"]);
  expect(operationsAt("/x-limits/requestsPerMinute/value")).toEqual(all);
  expect(operationsAt("/x-limits/messageLookup/value")).toEqual(["getEmail"]);
  expect(operationsAt("/x-lifecycles/membership/transitions/0/to")).toContain("upsertContact");
  expect(operationsAt("/tags/0/x-product")).toContain("sendEmail");
  expect(operationsAt("/tags/0/x-product")).not.toContain("getContact");
  expect(operationsAt("/servers/0")).toEqual(all);
});

test.each([
  ["an unknown name", "no-such-thing", /is not a file, a release or a git revision/],
  ["an option of git", "--all", /is not a file, a release or a git revision/],
  ["a file that is not a document", "list.json", /is not an OpenAPI document/],
  ["a file that is not JSON", "torn.json", /^cannot read .*torn\.json: .*[^.:]$/],
  ["a file that is not YAML", "torn.yaml", /^cannot read .*torn\.yaml: .* at line 2, column 4$/],
])("%s cannot be compared: exit code 2", async (_, name, message) => {
  const base = /\.(json|yaml)$/.test(name) ? file(name) : name;
  await expect(compare({ base, revision: release })).rejects.toMatchObject({
    exitCode: 2,
    message: expect.stringMatching(message),
  });
});

test("a git revision is compared; the defaults are the latest release and the working tree", async () => {
  const [fromGit, byDefault] = await Promise.all([compare({ base: release, revision: "HEAD" }), compare()]);
  expect(fromGit.counts.breaking).toBe(0);
  expect(byDefault.counts.breaking).toBe(0);
  expect(byDefault.revision).toBe("the working tree");
  for (const { place } of fromGit.differences) expect(place?.file).toMatch(/^openapi\//);
});

test("the latest release and the first of its version are compared, with one line each if nothing is breaking", async () => {
  const releases = file("releases");
  await mkdir(releases);
  const first: Editable = await frozenRelease("1.0.0");
  const last: Editable = structuredClone(first);
  last.info.version = "1.1.0";
  last.paths["/api/v1/later"] = structuredClone(last.paths["/api/v1/me"]);
  await writeFile(join(releases, "0.9.0.json"), JSON.stringify(first));
  await writeFile(join(releases, "1.0.0.json"), JSON.stringify(first));
  await writeFile(join(releases, "1.1.0.json"), JSON.stringify(last));
  await writeFile(file("1.1.0.json"), JSON.stringify(last));
  const same = await output(() => runDiff({ releases, revision: file("1.1.0.json") }));
  expect(same.exitCode).toBe(0);
  expect(plain(same.text).replaceAll(folder, "").replaceAll(/\s+/g, " ")).toBe(
    "No differences between 1.1.0 and /1.1.0.json. 1.0.0 to /1.1.0.json: 0 breaking, 1 additive, 1 editorial.",
  );

  const broken = structuredClone(last);
  delete schema(broken, "Bounce").properties.summary;
  delete broken.paths["/api/v1/later"];
  await writeFile(file("later.json"), JSON.stringify(broken));
  const json = await output(() => runDiff({ releases, revision: file("later.json"), format: "json" }));
  expect(json.exitCode).toBe(1);
  expect(JSON.parse(json.text)).toMatchObject({
    base: "1.1.0",
    counts: { breaking: 2 },
    sinceFirst: { base: "1.0.0", counts: { breaking: 1 }, differences: [] },
  });

  // A change that the latest release has already is shown in the comparison with the first one only.
  await writeFile(join(releases, "1.2.0.json"), JSON.stringify(broken));
  const github = await output(() => runDiff({ releases, revision: file("later.json"), format: "github" }));
  expect(github.exitCode).toBe(1);
  expect(github.text).toMatch(/^No differences[^:]*\n(.*\n)?::error .*summary/);
});
