import { existsSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { jsonReport } from "../../../contract/report/json.ts";
import { mustBeWritable, writeReports } from "../../../contract/report/write.ts";
import { resultOf } from "./samples.ts";

// Linux rejects a file there as if the directory did not exist.
const proc = existsSync("/proc") ? "The system says: " : "in a directory that exists";

describe("writing reports", () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "contract-reports-"));
  });
  afterAll(() => rm(folder, { recursive: true }));

  const all = (): Record<"json" | "junit" | "html" | "markdown" | "badge" | "har", string> => ({
    json: join(folder, "report.json"),
    junit: join(folder, "report.xml"),
    html: join(folder, "report.html"),
    markdown: join(folder, "report.md"),
    badge: join(folder, "report.svg"),
    har: join(folder, "report.har"),
  });

  test("the check before the run leaves no file behind, and keeps existing ones", async () => {
    await writeFile(all().json, "old");
    await mustBeWritable(all());
    expect(await readdir(folder)).toEqual(["report.json"]);
    expect(await readFile(all().json, "utf8")).toBe("old");
  });

  test("writes the reports that have a file, and no others", async () => {
    const { badge, ...others } = all();
    expect(await writeReports(resultOf(), others)).toEqual(Object.values(others));
    expect((await readdir(folder)).sort()).toEqual(
      ["report.har", "report.html", "report.json", "report.md", "report.xml"].sort(),
    );
    expect(await readFile(others.json, "utf8")).toBe(jsonReport(resultOf()));
    expect((await readFile(others.junit, "utf8")).slice(0, 5)).toBe("<?xml");
    expect((await readFile(others.html, "utf8")).slice(0, 15)).toBe("<!doctype html>");
    expect((await readFile(others.markdown, "utf8")).slice(0, 12)).toBe("## Contract:");
    expect(await writeReports(resultOf(), { badge })).toEqual([badge]);
    expect((await readFile(badge, "utf8")).slice(0, 4)).toBe("<svg");
  });

  test("a report that cannot be written leaves the others unchanged", async () => {
    await writeFile(all().json, "old");
    const files = { ...all(), har: join(folder, "nowhere", "report.har") };
    await expect(writeReports(resultOf(), files)).rejects.toThrow("--har cannot be written");
    expect(await readFile(all().json, "utf8")).toBe("old");
    expect((await readdir(folder)).filter((name) => name.endsWith(".tmp"))).toEqual([]);
  });

  test("follows a link, and keeps it", async () => {
    const link = join(folder, "link.json");
    await symlink(all().json, link);
    await writeReports(resultOf(), { json: link });
    expect(await readFile(all().json, "utf8")).toBe(jsonReport(resultOf()));
    expect((await stat(link)).isFile()).toBe(true);
  });

  test.for([
    [
      "a missing directory",
      (): string => join(folder, "nowhere", "report.json"),
      "cannot be written",
      "in a directory that exists",
    ],
    ["a directory that takes no files", (): string => "/proc/report.json", "cannot be written", proc],
    ["a directory", (): string => folder, "is a directory", "report.html"],
    ["no name", (): string => "", "its name is empty", "report.html"],
  ] as const)("says what to do about %s", async ([, file, message, hint]) => {
    const error = await mustBeWritable({ json: file() }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      message: expect.stringContaining(message),
      hint: expect.stringContaining(hint),
      exitCode: 2,
    });
  });

  test("two reports cannot share a file", async () => {
    const { json } = all();
    await expect(mustBeWritable({ json, html: json })).rejects.toMatchObject({
      message: `--json and --html name the same file: ${json}`,
      exitCode: 2,
    });
  });
});
