import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { stringify } from "yaml";
import { compare, runDiff } from "../../scripts/diff/verb.ts";
import { openapiFolder } from "../../scripts/paths.ts";
import { frozenRelease } from "../../scripts/release/releases.ts";
import { type Editable, schema } from "./changes/change.ts";

const release = join(openapiFolder, "releases/1.0.0.json");
let folder: string;
const file = (name: string): string => join(folder, name);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "diff-verb-"));
  const bundle: Editable = await frozenRelease("1.0.0");
  schema(bundle, "Page").properties.total = { type: "integer" };
  await writeFile(file("added.yaml"), stringify(bundle));
  delete schema(bundle, "Bounce").properties.summary;
  schema(bundle, "Subject").description = "A | and\na line.";
  await writeFile(file("broken.json"), JSON.stringify(bundle, null, 2));
  await writeFile(file("list.json"), "[]");
  await writeFile(file("torn.json"), "{");
});

afterAll(() => rm(folder, { recursive: true, force: true }));

async function output(run: () => Promise<number>): Promise<{ status: number; text: string }> {
  const log = vi.spyOn(console, "log").mockImplementation(() => {});
  try {
    const status = await run();
    return { status, text: log.mock.calls.map(([line]) => String(line)).join("\n") };
  } finally {
    log.mockRestore();
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with an escape
const plain = (text: string): string => text.replaceAll(/\u001b\[\d+m/g, "");

test("the same document differs nowhere", async () => {
  const { status, text } = await output(() => runDiff({ old: release, new: release }));
  expect(status).toBe(0);
  expect(text).toContain("Nothing differs");
});

test("an addition is no failure, and the message says where it stands", async () => {
  const { status, text } = await output(() => runDiff({ old: release, new: file("added.yaml") }));
  expect(status).toBe(0);
  expect(text).toContain("/components/schemas/Page/properties/total");
  const line = Number(/added\.yaml:(\d+):/.exec(plain(text))?.[1]);
  const lines = (await readFile(file("added.yaml"), "utf8")).split("\n");
  expect(lines[line - 1]?.trim()).toBe("total:");
});

test("a removed field is a failure that says what follows, and what to do instead", async () => {
  const { status, text } = await output(() => runDiff({ old: release, new: file("broken.json") }));
  expect(status).toBe(1);
  expect(plain(text)).toMatch(/breaking\n {2}Answers carry the field `summary` no more\./);
  expect(text).toContain("VER-3, LOOK-19");
  expect(text).toContain("instead: ");
  for (const line of plain(text).split("\n")) if (line.includes(" ")) expect(line.length).toBeLessThan(150);
});

test("with --breaking only what breaks is shown, and all is counted", async () => {
  const options = { old: release, new: file("broken.json"), breaking: true };
  const { text } = await output(() => runDiff(options));
  expect(text).not.toContain("properties/total");
  expect(text.replaceAll(/\s+/g, " ")).toContain("1 breaking, 1 allowed, 1 editorial");
});

test("JSON has every difference with all that is known of it", async () => {
  const options = { old: release, new: file("broken.json"), format: "json" } as const;
  const { text } = await output(() => runDiff(options));
  const comparison = JSON.parse(text) as Awaited<ReturnType<typeof compare>>;
  expect(comparison.counts).toEqual({ breaking: 1, allowed: 1, editorial: 1 });
  expect(comparison.differences[0]).toMatchObject({
    kind: "answer-field-removed",
    verdict: "breaking",
    pointer: "/components/schemas/Bounce/properties/summary",
    side: "old",
    requirement: "VER-3",
    operations: ["getEmail"],
    seenBy: ["response-required-property-removed"],
  });
});

test("Markdown has a table whose cells no text breaks", async () => {
  const options = { old: release, new: file("broken.json"), format: "markdown" } as const;
  const { text } = await output(() => runDiff(options));
  const rows = text.split("\n").filter((line) => line.startsWith("|"));
  expect(rows.length).toBe(9);
  for (const row of rows) expect(row.replaceAll("\\|", "").split("|").length).toBe(6);
});

test("annotations are errors where something breaks, and notices else", async () => {
  const options = { old: release, new: file("broken.json"), format: "github" } as const;
  const { text } = await output(() => runDiff(options));
  expect(text).toMatch(/^::error file=[^,]*broken\.json,line=\d+,col=\d+,title=breaking \(VER-3\)::Answers/m);
  expect(text.match(/^::notice /gm)).toHaveLength(2);
});

test.each([
  ["neither a file nor a revision", "no-such-thing", /neither a file nor a git revision/],
  ["an option of git", "--all", /neither a file nor a git revision/],
  ["a file that is no document", "list.json", /is not an OpenAPI document/],
  ["a file that is not JSON", "torn.json", /cannot be read/],
])("%s cannot be compared: status 2", async (_, name, message) => {
  const old = name.endsWith(".json") ? file(name) : name;
  await expect(compare({ old, new: release })).rejects.toMatchObject({
    exitCode: 2,
    message: expect.stringMatching(message),
  });
});

test("a revision is compared out of git, and the last release with the working tree", async () => {
  const [fromGit, byDefault] = await Promise.all([compare({ old: release, new: "HEAD" }), compare()]);
  expect(fromGit.counts.breaking).toBe(0);
  expect(byDefault.counts.breaking).toBe(0);
  expect(byDefault.new).toBe("the working tree");
  for (const { place } of fromGit.differences) expect(place?.file).toMatch(/^openapi\//);
});

test("the last release and the first of its version are compared, one line each where nothing breaks", async () => {
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
  const same = await output(() => runDiff({ releases, new: file("1.1.0.json") }));
  expect(same.status).toBe(0);
  const lines = plain(same.text).replaceAll(folder, "").split("\n");
  expect(lines.map((line) => line.replaceAll(/\s+/g, " ").slice(0, 30))).toHaveLength(2);
  expect(lines[0]).toMatch(/^Nothing differs between 1\.1\.0 /);
  expect(lines[1]).toMatch(/^1\.0\.0 to .*0 breaking, 1 allowed/);

  const broken = structuredClone(last);
  delete schema(broken, "Bounce").properties.summary;
  delete broken.paths["/api/v1/later"];
  await writeFile(file("later.json"), JSON.stringify(broken));
  const json = await output(() => runDiff({ releases, new: file("later.json"), format: "json" }));
  expect(json.status).toBe(1);
  expect(JSON.parse(json.text)).toMatchObject({
    old: "1.1.0",
    counts: { breaking: 2 },
    baseline: { old: "1.0.0", counts: { breaking: 1 }, differences: [] },
  });

  // What the last release broke already is told by the first alone.
  await writeFile(join(releases, "1.2.0.json"), JSON.stringify(broken));
  const github = await output(() => runDiff({ releases, new: file("later.json"), format: "github" }));
  expect(github.status).toBe(1);
  expect(github.text).toMatch(/^Nothing differs[^:]*\n(.*\n)?::error .*summary/);
});
