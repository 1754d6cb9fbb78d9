import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { coverageKinds, parameterValue } from "../../contract/observe/coverage.ts";
import type { ObservedExchange } from "../../contract/observe/subjects.ts";
import type { ContractResult } from "../../contract/report/result.ts";
import { capitalized } from "../../contract/text.ts";
import { operations } from "../../generated/operations.ts";
import { root } from "../../scripts/common/paths.ts";
import { runObserveCommand } from "../../scripts/observe/run-command.ts";
import { folderWith } from "../contract/config/folder.ts";
import { recordedSandbox } from "./proxied.ts";
import { accepted, error, exchange, message, missingAfter } from "./samples.ts";

/** The labels that an exchange covers. */
function coveredBy(one: ObservedExchange): string[] {
  const [before, after] = [missingAfter([]), missingAfter([one])];
  return Object.entries(before).flatMap(([kind, labels]) =>
    labels.filter((label) => !after[kind]?.includes(label)),
  );
}

const send = (changes: object, response: object = accepted("msg_a")): ObservedExchange =>
  exchange("POST", "/api/v1/emails", { sent: { ...message, ...changes }, ...response });
const rejected = error(422, "invalid_request");

describe("what an exchange covers", () => {
  it("is its operation, status and properties", () => {
    expect(coveredBy(send({ tags: { kind: "receipt" } }))).toEqual([
      ...["sendEmail", "sendEmail 202"],
      ...["from", "to", "subject", "text", "tags"].map((name) => `sendEmail ${name}`),
    ]);
  });

  it("is its parameters, the error type and a success without a known status", () => {
    expect(coveredBy(exchange("GET", "/api/v1/emails/msg_1"))).toEqual([
      ...["getEmail", "getEmail 2XX", "getEmail id"],
    ]);
    const headers = { authorization: "Bearer a", "idempotency-key": "key" };
    const conflict = error(409, "idempotency_conflict");
    expect(coveredBy(exchange("POST", "/api/v1/emails", { requestHeaders: headers, ...conflict }))).toEqual([
      ...["sendEmail", "sendEmail 409", "sendEmail 409 idempotency_conflict", "sendEmail Idempotency-Key"],
    ]);
  });

  it.each([
    [998, accepted("msg_a"), "sendEmail subject: 998 characters, accepted"],
    [999, rejected, "sendEmail subject: more than 998 characters, rejected"],
    [997, accepted("msg_a"), undefined],
    [998, rejected, undefined],
    [999, accepted("msg_a"), undefined],
    [999, error(401, "unauthorized"), undefined],
  ])("is one side of a limit: a subject of %i characters", (length, response, label) => {
    const limits = coveredBy(send({ subject: "x".repeat(length) }, response)).filter((one) =>
      one.includes(":"),
    );
    expect(limits).toEqual(label === undefined ? [] : [label]);
  });

  it("is a limit of a parameter, as a number if its schema says so", () => {
    expect(parameterValue({ type: "integer" }, "100")).toBe(100);
    expect(parameterValue({ type: ["integer", "null"] }, "7")).toBe(7);
    expect(parameterValue({ type: "integer" }, "many")).toBe("many");
    expect(parameterValue({ type: "string" }, "100")).toBe("100");
  });

  it("is a gateway response, if there is no operation", () => {
    expect(coveredBy(exchange("PUT", "/api/v1/me", error(405, "method_not_allowed")))).toEqual([
      "any path: 405 method_not_allowed",
    ]);
    expect(coveredBy(exchange("GET", "/api/v1/emails/a", error(404, "not_found")))).not.toContain(
      "any path: 404 not_found",
    );
  });

  it("is no error type that the document does not have", () => {
    expect(coveredBy(send({}, error(422, "of_another_service")))).not.toContainEqual(
      expect.stringContaining("of_another_service"),
    );
    expect(coveredBy(exchange("PUT", "/api/v1/me", error(405, "__proto__")))).toEqual([]);
  });

  it("is nothing without a response, and no property of an incomplete body", () => {
    expect(coveredBy({ ...send({}), status: 0 })).toEqual([]);
    expect(coveredBy({ ...send({}), isCut: true })).toEqual(["sendEmail", "sendEmail 202"]);
  });
});

it("the guide describes what each kind counts, as the reports do", async () => {
  const guide = await readFile(join(root, "docs/observing-traffic.md"), "utf8");
  const rows = /^\| Kind \|.*\n.*\n((?:\|.*\n)+)/m.exec(guide)?.[1];
  const expected = Object.entries(coverageKinds).map(([kind, of]) => `| ${capitalized(kind)} | ${of} |\n`);
  expect(rows).toBe(expected.join(""));
});

describe("the option --coverage", () => {
  let folder: string;
  let ndjson: string[];
  let printed: string[];
  beforeEach(async () => {
    folder = folderWith();
    ndjson = [await recordedSandbox(folder)];
    printed = [];
    vi.spyOn(console, "log").mockImplementation((text: string) => printed.push(text));
  });
  afterEach(() => vi.restoreAllMocks());

  async function run(options: object): Promise<{ code: number; text: string; result: ContractResult }> {
    const files = {
      json: join(folder, "a.json"),
      html: join(folder, "a.html"),
      markdown: join(folder, "a.md"),
    };
    const code = await runObserveCommand({ ...{ port: 0, host: "127.0.0.1", ndjson }, ...files, ...options });
    const result = JSON.parse(await readFile(files.json, "utf8")) as ContractResult;
    for (const file of [files.html, files.markdown])
      if (result.coverage !== undefined)
        expect((await readFile(file, "utf8")).replaceAll("\\", "")).toMatch(
          /402 no_plan: .*sendEmail, sendBatch, .*unsubscribeContact/,
        );
    return { code, result, text: printed.join("\n") };
  }

  it("adds the coverage to all reports, at the top of the page", async () => {
    const { code, result, text } = await run({ coverage: true });
    expect(code).toBe(0);
    expect(result.coverage?.kinds.find(({ kind }) => kind === "operations")).toMatchObject({
      covered: 2,
      total: Object.keys(operations).length,
    });
    expect(text).toMatch(/^Coverage \d+(\.\d)? % \(\d+ of \d+\)\.$/m);
    expect(text.split("\n").filter((line) => line.length > 80)).toEqual([]);
    expect(text.replaceAll(/\s+/g, " ")).toMatch(/- errors: 401 unauthorized: \d+ operations; 402 no_plan:/);
    const page = await readFile(join(folder, "a.html"), "utf8");
    expect(page.slice(0, page.indexOf("</header>"))).toMatch(/<a href="#coverage">Coverage \d/);
    expect(page.indexOf('id="coverage"')).toBeLessThan(page.indexOf('id="overview"'));
  });

  it("fails below the threshold in every report", async () => {
    const files = { badge: join(folder, "a.svg"), junit: join(folder, "a.xml") };
    const { code, text } = await run({ ...files, coverageThreshold: 90 });
    expect(code).toBe(1);
    expect(text).toContain("threshold 90 %");
    expect(text).toContain("Exit code 1: the coverage is too low.");
    expect(await readFile(files.badge, "utf8")).toMatch(/<title>contract: coverage \d+(\.\d)? % \(/);
    const junit = await readFile(files.junit, "utf8");
    expect(junit).toMatch(/<testcase name="coverage"[^\n]*<failure message="Coverage [\d.]+ % [^"]* 90 %"/);
    expect(junit).toContain('<testcase name="the traffic"');
    await run({ ...files, coverageThreshold: 0 });
    expect(await readFile(files.junit, "utf8")).toMatch(/<testcase name="coverage"[^\n]*><\/testcase>/);
  });

  it("passes from the threshold on", async () => {
    const { result } = await run({ coverage: true });
    const { covered = 0, total = 1 } = result.coverage ?? {};
    expect((await run({ coverageThreshold: Math.floor((100 * covered) / total) })).code).toBe(0);
  });

  it("is off by default", async () => {
    const { result, text } = await run({});
    expect(result).not.toHaveProperty("coverage");
    expect(text).not.toContain("Coverage");
  });
});
