import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { jsonText } from "../../../contract/report/json.ts";
import {
  claimTable,
  exceptionTable,
  matrixJson,
  matrixMarkdown,
  matrixOf,
  readMatrix,
} from "../../../contract/report/matrix.ts";
import { matrixHtml } from "../../../contract/report/matrix-html.ts";
import type { ContractResult } from "../../../contract/report/result.ts";
import { runMatrix } from "../../../scripts/matrix/command.ts";
import { temporaryFolder } from "../../temporary-folder.ts";
import { hostile, oneOfEach, outcome, resultOf } from "./samples.ts";

const entry = { id: "SEND-1", reason: "Later | soon <i>.", owner: "Team Mail", until: "2999-12-31" };
const level = { id: "core", title: "Core", exceptions: [], failed: [], notVerified: [] };
const of = (name: string, version: string, changes: Partial<ContractResult> = {}): ContractResult =>
  resultOf(oneOfEach, [entry], { implementation: { name, version }, ...changes });
const client = {
  name: "a client",
  driver: "node driver.ts",
  operations: ["getMe"],
  retries: false,
  idempotencyKeys: "explicit" as const,
  timeouts: false,
};

const reports = [
  of("Postbox", "1.0.0", { startedAt: "2026-01-01T00:00:00.000Z", levels: [{ ...level, state: "passed" }] }),
  of("Postbox", "2.0.0", {
    startedAt: "2026-02-01T00:00:00.000Z",
    without: ["template"],
    notImplemented: ["sendBatch"],
    levels: [{ ...level, state: "not passed", leftOut: ["template"] }],
  }),
  of(`__proto__ ${hostile}`, "1", { startedAt: "2026-03-01T00:00:00.000Z" }),
  resultOf([outcome({ ids: ["GEN-9"] })], [], { implementation: { name: "reader", version: "3" }, client }),
];
const groups = matrixOf(reports);
const [servers] = groups;
const postbox = servers?.implementations.find(({ name }) => name === "Postbox");

describe("the matrix", () => {
  test("has servers and clients apart, each implementation once", () => {
    expect(groups.map(({ kind, implementations }) => [kind, implementations.length])).toEqual([
      ["server", 2],
      ["client", 1],
    ]);
  });

  test("takes the latest report, and has the others as history", () => {
    expect(postbox?.version).toBe("2.0.0");
    const all = JSON.parse(matrixJson(groups)).implementations as { name: string; versions: object[] }[];
    expect(all.find(({ name }) => name === "Postbox")?.versions).toMatchObject([
      {
        implementation: { version: "2.0.0" },
        levels: [{ state: "not passed" }],
        verdicts: { "IDEM-2": "fail" },
      },
      { implementation: { version: "1.0.0" }, levels: [{ state: "passed" }] },
    ]);
    for (const text of [matrixHtml(groups), matrixMarkdown(groups)]) {
      expect(text).toContain("1.0.0");
      expect(text).toContain("2026-01-01");
    }
  });

  test("leads from each mark to what failed", () => {
    const page = matrixHtml(groups);
    const targets = Array.from(page.matchAll(/href="#([^"]+)"/g), ([, target]) => target);
    const anchors = new Set(Array.from(page.matchAll(/ id="([^"]+)"/g), ([, anchor]) => anchor));
    expect(targets.filter((target) => !anchors.has(target ?? ""))).toEqual([]);
    expect(anchors.size).toBe([...page.matchAll(/ id="/g)].length);
    for (const id of ["IDEM-2", "SEND-1", "AUTH-15", "LIST-1"])
      expect(targets).toContain(`${postbox?.id}-${id}`);
    expect(targets).not.toContain(`${postbox?.id}-HEAD-2`);
  });

  test("leads in Markdown from each cell to what was expected and found, also of an expected failure", () => {
    const text = matrixMarkdown(groups);
    const targets = Array.from(text.matchAll(/\]\(#([^)]+)\)/g), ([, target]) => target);
    const anchors = Array.from(text.matchAll(/<a id="([^"]+)">/g), ([, anchor]) => anchor);
    expect(targets.filter((target) => !anchors.includes(target))).toEqual([]);
    expect(new Set(anchors).size).toBe(anchors.length);
    for (const id of ["IDEM-2", "SEND-1", "AUTH-15", "LIST-1"])
      expect(targets).toContain(`${postbox?.id}-${id}`);
    expect(text).toContain(
      `<a id="${postbox?.id}-SEND-1"></a>SEND-1 | expected failure | expected status 202; found`,
    );
    expect(text).toContain(`| [Postbox](#${postbox?.id}) | 2.0.0 |`);
    const failure = { expected: "an error", found: '{"result":null}', exchange: 0 };
    const failed = resultOf([outcome({ verdict: "fail", failure })], []);
    const own = matrixOf([{ ...failed, implementation: { name: "a", version: "1" } }]);
    expect(matrixMarkdown(own)).toContain('expected an error; found `{"result":null}`');
  });

  test("shows what is in backticks as code", () => {
    const reason = "Adds `content_type`, `a|b` and `<i>`, not `.";
    const expectedFailures = reports[0]?.expectedFailures?.map((one) => ({ ...one, reason }));
    const own = matrixOf([of("Postbox", "1", expectedFailures && { expectedFailures })]);
    expect(matrixMarkdown(own)).toContain("Adds `content_type`, \\`a\\|b\\` and");
    expect(matrixMarkdown(own)).toContain("&lt;i&gt;");
    expect(matrixHtml(own)).toContain("Adds <code>content_type</code>, <code>a|b</code>");
  });

  test("says in a line what the marks mean, and draws that of a failure", () => {
    const page = matrixHtml(groups);
    const [, legend = ""] = /<ul class="legend">(.*)<\/ul>/.exec(page) ?? [];
    for (const verdict of ["Pass", "Fail", "Expected failure", "Not verified", "Outside the run"])
      expect(legend).toContain(`<strong>${verdict}</strong>`);
    expect(page).not.toContain("✕");
    expect(page).toContain("position: sticky");
  });

  test("says which operations and settings a report leaves out", () => {
    for (const text of [matrixHtml(groups), matrixMarkdown(groups)]) {
      expect(text).toMatch(/\d of \d pass, 1 operation not implemented/);
      expect(text).toContain("Profile core without template, not implemented: sendBatch");
      expect(text).toContain(
        "Every level requires what the run leaves out: template and 1 operation not implemented",
      );
    }
  });

  test("names topics in the same way", () => {
    for (const text of [matrixHtml(groups), matrixMarkdown(groups)])
      expect(text).toMatch(/[> *]Idempotency\b/);
  });

  test("shows exceptions with reason, owner and day", () => {
    expect(matrixHtml(groups)).toContain(
      '<td>Later | soon &lt;i&gt;.</td><td>Team Mail</td><td class="day">2999-12-31</td>',
    );
    expect(matrixMarkdown(groups)).toContain("Later \\| soon &lt;i&gt;. | Team Mail | 2999-12-31 |");
    expect(matrixJson(groups)).toContain('"owner": "Team Mail"');
  });

  test("counts the requirements with exceptions, as the level does, and lists every entry", () => {
    const entries = ["one case", hostile].map((name) => ({
      id: "IDEM-2",
      case: `a failing sample: ${name}`,
    }));
    const failing = oneOfEach.filter(({ check }) => check === "a failing sample");
    const outcomes = failing.map((one) => ({ ...one, ids: ["IDEM-2"] }));
    const implementation = { name: "Postbox", version: "1" };
    const report = resultOf(outcomes, entries, { implementation });
    expect(report.expectedFailures?.map(({ state }) => state)).toEqual(["fails", "fails"]);
    expect(claimTable([report]).rows.map((cells) => cells.at(-1))).toEqual(["1"]);
    expect(exceptionTable(report).rows).toHaveLength(2);
  });

  test("marks an exception whose day is over", () => {
    const [, other] = reports;
    const expectedFailures = other?.expectedFailures?.map((one) => ({ ...one, until: "2026-02-03" }));
    const past = matrixOf([{ ...(other as ContractResult), ...(expectedFailures && { expectedFailures }) }]);
    for (const text of [matrixHtml(past), matrixMarkdown(past)]) expect(text).toContain("2026-02-03, over");
    for (const text of [matrixHtml(groups), matrixMarkdown(groups)]) expect(text).not.toContain(", over");
  });

  test("shows foreign text as text", () => {
    for (const text of [matrixHtml(groups), matrixMarkdown(groups)])
      expect(text).not.toContain("<script>alert");
    const tables = matrixMarkdown(groups).matchAll(/(?:^\|.*\n?)+/gm);
    const widths = Array.from(tables, ([table]) =>
      table
        .trim()
        .split("\n")
        .map((line) => line.replaceAll("\\|", "").split("|").length),
    );
    expect(widths.length).toBeGreaterThan(6);
    for (const [head, ...rows] of widths) expect(new Set(rows)).toEqual(new Set([head]));
  });
});

test("the command writes the matrix, and rejects a report without a name", async () => {
  const folder = temporaryFolder();
  const [file = "", unnamed = ""] = ["a.json", "b.json"].map((name) => join(folder, name));
  await writeFile(file, jsonText(reports[0]));
  await writeFile(unnamed, jsonText(resultOf()));
  const log = vi.spyOn(console, "log").mockReturnValue();
  const written = {
    html: join(folder, "m.html"),
    markdown: join(folder, "m.md"),
    json: join(folder, "m.json"),
  };
  expect(await runMatrix([file], written).finally(() => log.mockRestore())).toBe(0);
  expect(await readFile(written.html, "utf8")).toContain("1 server");
  expect(JSON.parse(await readFile(written.json, "utf8"))).toMatchObject({ format: 1 });
  await expect(runMatrix([join(folder, "none.json")])).rejects.toMatchObject({
    hint: "Give reports that `--publish FILE` wrote.",
  });
  await expect(runMatrix([unnamed])).rejects.toThrow("b.json does not say which implementation it is about");
  const before = await readFile(file, "utf8");
  await expect(runMatrix([file], { json: join(folder, "x", "..", "a.json") })).rejects.toThrow(
    "a.json is a report",
  );
  expect(await readFile(file, "utf8")).toBe(before);
});

test.each([
  ["nothing but an id", {}],
  ["no owner", { reason: "Later.", until: "2999-12-31" }],
  ["an empty owner", { reason: "Later.", owner: "", until: "2999-12-31" }],
  ["a reason of spaces", { reason: " ", owner: "Team Mail", until: "2999-12-31" }],
  ["no day", { reason: "Later.", owner: "Team Mail" }],
  ["a day that is none", { reason: "Later.", owner: "Team Mail", until: "soon" }],
])("an exception with %s is rejected, also in a report that was published", async (_, more) => {
  const file = join(temporaryFolder(), "report.json");
  const report = of("Postbox", "1", { startedAt: "2026-02-01T08:00:00Z" });
  const bare = { ...report, expectedFailures: [{ id: "SEND-1", ...more, state: "fails" as const }] };
  for (const one of [bare, { ...bare, published: [] }]) {
    await writeFile(file, jsonText(one));
    expect(() => readMatrix([file], new Set())).toThrow(
      /the expected failure SEND-1 lacks a reason, an owner or a last day \(until\)|(reason|until) is invalid/,
    );
  }
});

test("the latest report is that of the latest time, in any time zone; one without a time is rejected", async () => {
  const folder = temporaryFolder();
  const write = async (name: string, startedAt: string): Promise<string> => {
    const file = join(folder, name);
    await writeFile(file, jsonText(of("Postbox", name, { startedAt })));
    return file;
  };
  const files = [
    await write("early", "2026-02-01T09:00:00+09:00"),
    await write("late", "2026-02-01T08:00:00Z"),
  ];
  expect(readMatrix(files, new Set())[0]?.implementations[0]?.version).toBe("late");
  const file = await write("never", "zzz");
  expect(() => readMatrix([file], new Set())).toThrow('never has no date in startedAt (got "zzz")');
});
