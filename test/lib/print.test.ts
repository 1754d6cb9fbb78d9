import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { printable, printJson } from "../../lib/print.ts";
import { githubAnnotation } from "../../lib/text.ts";
import { root } from "../../scripts/common/paths.ts";

const esc = "\u001B";

describe("a printed text", () => {
  it.each([
    ["::set-output name=a::b", ": :set-output name=a::b"],
    ["ok\n  ::add-mask::x", "ok\n  : :add-mask::x"],
    ...["\u3000", "\u00A0 \u2003", "\u1680\t", "\u202F\u205F"].map((spaces) => [
      `ok\n${spaces}::stop-commands::x`,
      `ok\n${spaces}: :stop-commands::x`,
    ]),
    ["a ##[error]b", "a # #[error]b"],
    ["##vso[task.setvariable]b", "# #vso[task.setvariable]b"],
    ["##teamcity[buildStop]", "# #teamcity[buildStop]"],
    [`a${esc}[2Jb`, "a\\u{1b}[2Jb"],
    [`${esc}]0;title\u0007`, "\\u{1b}]0;title\\u{7}"],
    ["a\u009B2Jb", "a\\u{9b}2Jb"],
    ["a\u202Eb\u2066c", "a\\u{202e}b\\u{2066}c"],
    ["a\rb", "a\\u{d}b"],
    ["a::b ## [c]\td\ne", "a::b ## [c]\td\ne"],
  ])("%j is %j", (text, expected) => {
    expect(printable(text)).toBe(expected);
  });

  it("keeps colors where there are any, and no command after one", () => {
    vi.stubEnv("FORCE_COLOR", "1");
    expect(printable(`${esc}[31ma${esc}[39m${esc}[2J`)).toBe(`${esc}[31ma${esc}[39m\\u{1b}[2J`);
    expect(printable(`${esc}[31m::error::a`)).toBe(`${esc}[31m: :error::a`);
    vi.unstubAllEnvs();
  });
});

it("JSON stays JSON", () => {
  const log = vi.spyOn(console, "log").mockImplementation(() => {});
  const value = { a: `\u202E\u009B${esc}\u{E0001}\n` };
  printJson(JSON.stringify(value));
  const [[printed]] = log.mock.calls as [[string]];
  log.mockRestore();
  expect(printed).toMatch(/^[ -~]+$/);
  expect(JSON.parse(printed)).toEqual(value);
});

it("an annotation is one line of visible characters", () => {
  const line = githubAnnotation("error", { title: `a\n::b${esc}` }, `c\r\n::d\u202E`);
  expect(line).toMatch(/^::error title=[ -~]*$/);
});

/** Files that write what is not foreign: the functions themselves, progress, and what runs elsewhere. */
const others =
  /^(lib\/print|scripts\/client-suite\/templates\/driver|scripts\/docs\/samples\/languages)\.ts$/;

it("all that is written to a terminal or a log goes through lib/print.ts", () => {
  const files = globSync("{lib,contract,sandbox,scripts,openapi/lint}/**/*.ts", { cwd: root });
  const found = files
    .filter((file) => !others.test(file))
    .flatMap((file) =>
      readFileSync(join(root, file), "utf8")
        .split("\n")
        .filter((line) => /\bconsole\.(?!ts\b)\w+|std(out|err)\.write\((?!printable)/.test(line))
        .map((line) => `${file}: ${line.trim()}`),
    );
  expect(found).toEqual([]);
});
