import { stripVTControlCharacters } from "node:util";
import { describe, expect, test } from "vitest";
import { planOf } from "../../contract/plan.ts";
import { diagnose } from "../../contract/report/causes.ts";
import { consoleText } from "../../contract/report/console.ts";
import { htmlReport } from "../../contract/report/html.ts";
import { markdownReport } from "../../contract/report/markdown.ts";
import type { ContractResult } from "../../contract/report/result.ts";
import { runOnSandbox } from "../../mutants/harness.ts";
import type { Interceptor } from "../../mutants/mutant.ts";
import { demoSettings } from "../../mutants/rig/demo.ts";
import { resultOf } from "./samples.ts";

/** What some checks find of a server behind something. */
async function found(intercept: Interceptor, grep: RegExp): Promise<ContractResult> {
  const plans = [planOf(demoSettings("core"), grep)];
  return resultOf(await runOnSandbox({ intercept: () => intercept, plans }), []);
}

const error = (type: string) => ({ error: { type, message: "No.", request_id: "req_1" } });
const partly =
  (status: number, type: string, isGone: (method: string, path: string) => boolean): Interceptor =>
  (request, next) =>
    isGone(request.method, request.path) ? { status, headers: {}, body: error(type) } : next(request);

const text = (result: ContractResult): string => stripVTControlCharacters(consoleText(result));
const line = (result: ContractResult): string => text(result).replaceAll(/\n +/g, " ").replaceAll("\n", " ");

describe("a server without an operation", () => {
  const isAdding = (method: string, path: string): boolean =>
    method === "POST" && path === "/api/v1/newsletter/contacts";
  const gone = partly(404, "not_found", isAdding);
  const withFault: Interceptor = async (request, next) => {
    const answer = await gone(request, next);
    const isLists = request.path.endsWith("/lists") && answer.status === 200;
    return isLists ? { ...answer, body: { lists: "none" } } : answer;
  };

  test("is said so once, on top, with the promises that fall with it", async () => {
    const result = await found(withFault, /CONT-|LIST-|MEMB-/);
    const { causes, others, explained, wholeServer } = diagnose(result);
    expect(wholeServer).toBeUndefined();
    expect(causes).toHaveLength(1);
    expect(causes[0]?.ids.length).toBeGreaterThan(10);
    const says = `POST /api/v1/newsletter/contacts answers 404 not_found to every call: ${causes[0]?.ids.length} promises fall with it`;
    expect(line(result).startsWith(says)).toBe(true);
    expect(htmlReport(result)).toContain(says);
    expect(markdownReport(result).replaceAll("\\_", "_")).toContain(says);
    expect(others.flatMap(({ ids }) => ids)).toContain("LIST-1");
    expect(explained.length).toBeGreaterThan(10);
    expect(
      text(result)
        .split("\n")
        .filter((one) => one.length > 80 && !/^ {2}(curl| {2}-)/.test(one)),
    ).toEqual([]);
  });

  test("is shown what fell with other causes first", async () => {
    const result = await found(withFault, /CONT-|LIST-|MEMB-/);
    const { others, explained } = diagnose(result);
    const [own, fell] = [others[0]?.check ?? "", explained[0]?.check ?? ""];
    expect(text(result)).toContain(own);
    expect(text(result)).not.toContain(fell);
    const markdown = markdownReport(result);
    expect(markdown.indexOf(fell)).toBeGreaterThan(markdown.indexOf(own));
    const [, first] = /<a href="#([A-Z]+-\d+)">The first that is broken/.exec(htmlReport(result)) ?? [];
    expect(others.flatMap(({ ids }) => ids)).toContain(first);
  });

  test("is not one whose operation answers somebody", async () => {
    let calls = 0;
    const sometimes: Interceptor = (request, next) => {
      calls += Number(isAdding(request.method, request.path));
      return calls > 1 ? gone(request, next) : next(request);
    };
    const { causes, others } = diagnose(await found(sometimes, /CONT-/));
    expect(causes).toEqual([]);
    expect(others.length).toBeGreaterThan(0);
  });

  test("is not one that has nothing of that name, as it should", async () => {
    const { causes, wholeServer } = diagnose(await found((request, next) => next(request), /404|not_found/));
    expect([causes, wholeServer]).toEqual([[], undefined]);
  });
});

describe("an address that is not that of the API", () => {
  const ask = "is https://api.example.com the address of the API, as it stands before /api/v1?";

  test.each<[string, Interceptor, string]>([
    [
      "all answers are pages",
      () => ({
        status: 404,
        headers: { "content-type": "text/html; charset=utf-8" },
        body: undefined,
        text: "<p>",
      }),
      `Every answer is a page in HTML, not JSON: ${ask}`,
    ],
    [
      "all answers are redirects",
      () => ({ status: 308, headers: { location: "https://www.example.com/" }, body: undefined }),
      `Every answer is a redirect, such as 308 to https://www.example.com/: ${ask}`,
    ],
    [
      "no operation is there",
      partly(404, "not_found", () => true),
      "No operation that was called is there, such as GET /api/v1/",
    ],
  ])("is asked about in a line where %s", async (_, intercept, says) => {
    const result = await found(intercept, /LIST-|ACCT-|CONT-/);
    expect(line(result).startsWith(says)).toBe(true);
    expect(htmlReport(result)).toContain(says);
    expect(markdownReport(result).replaceAll("\\_", "_")).toContain(`**${says}`);
  });
});
