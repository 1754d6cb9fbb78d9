import { stripVTControlCharacters } from "node:util";
import { describe, expect, test } from "vitest";
import { planOf } from "../../../contract/plan.ts";
import { diagnose } from "../../../contract/report/causes.ts";
import { consoleText } from "../../../contract/report/console.ts";
import { htmlReport } from "../../../contract/report/html.ts";
import { markdownReport } from "../../../contract/report/markdown.ts";
import type { ContractResult } from "../../../contract/report/result.ts";
import { demoSettings } from "../../mutants/demo.ts";
import { runOnSandbox } from "../../mutants/harness.ts";
import type { Interceptor } from "../../mutants/mutant.ts";
import { resultOf } from "./samples.ts";

/** The result of some checks for an intercepted server. */
async function found(intercept: Interceptor, grep: RegExp): Promise<ContractResult> {
  const plans = [planOf(demoSettings("core"), grep)];
  return resultOf(await runOnSandbox({ intercept: () => intercept, plans }), []);
}

const error = (type: string) => ({ error: { type, message: "No.", request_id: "req_1" } });
const missing =
  (status: number, type: string, isGone: (method: string, path: string) => boolean): Interceptor =>
  (request, next) =>
    isGone(request.method, request.path) ? { status, headers: {}, body: error(type) } : next(request);

const text = (result: ContractResult): string => stripVTControlCharacters(consoleText(result));
const line = (result: ContractResult): string => text(result).replaceAll(/\n +/g, " ").replaceAll("\n", " ");

describe("a server without an operation", () => {
  const isAdding = (method: string, path: string): boolean =>
    method === "POST" && path === "/api/v1/newsletter/contacts";
  const gone = missing(404, "not_found", isAdding);
  const withFault: Interceptor = async (request, next) => {
    const response = await gone(request, next);
    const isLists = request.path.endsWith("/lists") && response.status === 200;
    return isLists ? { ...response, body: { lists: "none" } } : response;
  };

  test("is reported once, at the top, with the requirements that fail because of it", async () => {
    const result = await found(withFault, /CONT-|LIST-|MEMB-/);
    const { causes, others, explained, wholeServer } = diagnose(result);
    expect(wholeServer).toBeUndefined();
    expect(causes).toHaveLength(1);
    expect(causes[0]?.ids.length).toBeGreaterThan(10);
    const says = `POST /api/v1/newsletter/contacts always responds with 404 not_found: ${causes[0]?.ids.length} requirements fail because of it`;
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

  test("comes after the failures with other causes", async () => {
    const result = await found(withFault, /CONT-|LIST-|MEMB-/);
    const { others, explained } = diagnose(result);
    const [own, fell] = [others[0]?.check ?? "", explained[0]?.check ?? ""];
    expect(text(result)).toContain(own);
    expect(text(result)).not.toContain(fell);
    const markdown = markdownReport(result);
    expect(markdown.indexOf(fell)).toBeGreaterThan(markdown.indexOf(own));
    const [, first] =
      /<article class="requirement fail decided" id="([A-Z]+-\d+)"/.exec(htmlReport(result)) ?? [];
    expect(others.flatMap(({ ids }) => ids)).toContain(first);
  });

  test("has no operation that sometimes responds", async () => {
    let requests = 0;
    const sometimes: Interceptor = (request, next) => {
      requests += Number(isAdding(request.method, request.path));
      return requests > 1 ? gone(request, next) : next(request);
    };
    const { causes, others } = diagnose(await found(sometimes, /CONT-/));
    expect(causes).toEqual([]);
    expect(others.length).toBeGreaterThan(0);
  });

  test("is not one that correctly responds with 404", async () => {
    const { causes, wholeServer } = diagnose(await found((request, next) => next(request), /404|not_found/));
    expect([causes, wholeServer]).toEqual([[], undefined]);
  });
});

describe("a base URL that is not that of the API", () => {
  const question = "is https://api.example.com the base URL of the API, without /api/v1?";

  test.each<[string, Interceptor, string]>([
    [
      "all responses are pages",
      () => ({
        status: 404,
        headers: { "content-type": "text/html; charset=utf-8" },
        body: undefined,
        text: "<p>",
      }),
      `Every response is an HTML page instead of JSON: ${question}`,
    ],
    [
      "all responses are redirects",
      () => ({ status: 308, headers: { location: "https://www.example.com/" }, body: undefined }),
      `Every response is a redirect, such as 308 to https://www.example.com/: ${question}`,
    ],
    [
      "no operation exists",
      missing(404, "not_found", () => true),
      "No requested operation exists; GET /api/v1/",
    ],
  ])("is questioned if %s", async (_, intercept, says) => {
    const result = await found(intercept, /LIST-|ACCT-|CONT-/);
    expect(line(result).startsWith(says)).toBe(true);
    expect(htmlReport(result)).toContain(says);
    expect(markdownReport(result).replaceAll("\\_", "_")).toContain(`**${says}`);
  });
});
