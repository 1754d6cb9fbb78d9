import { stripVTControlCharacters } from "node:util";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { redactor } from "../../../contract/engine/secrets.ts";
import { planOf } from "../../../contract/plan.ts";
import { badgeReport } from "../../../contract/report/badge.ts";
import { consoleText } from "../../../contract/report/console.ts";
import { harReport } from "../../../contract/report/har.ts";
import { htmlReport } from "../../../contract/report/html.ts";
import { jsonText } from "../../../contract/report/json.ts";
import { junitReport } from "../../../contract/report/junit.ts";
import { markdownReport } from "../../../contract/report/markdown.ts";
import { publishedReport } from "../../../contract/report/publish.ts";
import type { ContractResult } from "../../../contract/report/result.ts";
import { summarize } from "../../../contract/report/summarize.ts";
import { missingFor, requirementsOf, unverifiable } from "../../../contract/verifiable.ts";
import { demoSettings } from "../../mutants/demo.ts";
import { runOnSandbox } from "../../mutants/harness.ts";
import { shows } from "../../mutants/mutant.ts";
import { repeatedKeys, repeatedKeysResult, resultOf } from "./samples.ts";

/** The record of a canceled message shows another status. */
const forgetful = shows(
  "SCHED-13",
  "a canceled message has the status sent",
  ({ body, ...response }, { method }) => {
    const { status } = (body ?? {}) as { status?: string };
    return method === "GET" && status === "canceled"
      ? { ...response, body: { ...(body as object), status: "sent" } }
      : { ...response, body };
  },
);

async function resultWith(sequences: { seed: number; sequences?: number }): Promise<ContractResult> {
  const settings = { ...demoSettings("model"), sequences };
  const plan = planOf(settings).filter(({ check }) => /email requests have/.test(check.title));
  const outcomes = await runOnSandbox({
    settings,
    plans: [plan],
    intercept: forgetful.intercept,
  });
  return resultOf(outcomes, []);
}

const failureIn = ({ checks }: ContractResult) =>
  checks.flatMap(({ cases }) => cases.filter(({ verdict }) => verdict === "fail"))[0];

describe("a random sequence that fails", () => {
  let result: ContractResult;
  beforeAll(async () => {
    result = await resultWith({ seed: 1, sequences: 10 });
  });

  test("has its requests in order, and the seed", () => {
    const { exchanges = [], failure } = failureIn(result) ?? {};
    expect(failure?.seed).toBeGreaterThan(0);
    expect([failure?.expected, failure?.found]).toEqual([
      expect.stringMatching(/^status "canceled"/),
      'status "sent"',
    ]);
    // Later ones belong to other failures.
    const methods = exchanges.slice(0, (failure?.exchange ?? 0) + 1).map(({ method }) => method);
    expect(methods).toEqual(["POST", "GET", "DELETE", "GET"]);
  });

  test("fails again with the seed alone", async () => {
    const seed = failureIn(result)?.failure?.seed ?? 0;
    const again = failureIn(await resultWith({ seed, sequences: 1 }));
    expect(again?.failure).toMatchObject({ expected: failureIn(result)?.failure?.expected, seed });
  });

  test("is shown with all requests and the command in every report", () => {
    const seed = failureIn(result)?.failure?.seed;
    const command = `npx --no email-api-contract contract --profile model --grep email.requests.have --seed ${seed} --sequences 1`;
    const text = stripVTControlCharacters(consoleText(result));
    for (const report of [text, junitReport(result), markdownReport(result), htmlReport(result)]) {
      expect(report).toContain(command);
      expect(report.indexOf("-X DELETE")).toBeGreaterThan(report.indexOf("-X POST"));
    }
    const lines = text.split("\n").filter((line) => !/^ {2}(npx|curl| {2}-)/.test(line));
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
  });
});

describe("what sequences verify", () => {
  test("is shown without requests, which are about other requirements too", async () => {
    const settings = { ...demoSettings("model"), sequences: { sequences: 3 } };
    const plan = planOf({ ...settings, without: ["clock"] }, /email.requests/);
    const result = resultOf(await runOnSandbox({ settings, plans: [plan] }), []);
    const ids = result.checks.flatMap((check) => check.ids);
    expect(ids.length).toBeGreaterThan(50);
    const page = htmlReport(result);
    const title = "Random sequences of email requests have the responses that the requirements allow";
    expect(page.split(`<p class="check">${title}</p>`)).toHaveLength(ids.length + 1);
    expect(page).not.toContain("curl");
  });
});

describe("what sequences cannot verify", () => {
  const settings = demoSettings("model");
  const lostBy = (given: typeof settings, hooks: object): string[] =>
    [...unverifiable({ ...given, hooks }, planOf(given))].map(([id, needs]) => [id, ...needs].join(" "));

  test("without the clock hook is not verified, with its name", () => {
    const lost = lostBy(settings, { confirm: () => {} });
    for (const id of ["SCHED-10", "SCHED-20", "LOOK-22", "LIMIT-6"])
      expect(lost).toContain(`${id} hooks.advanceClock`);
    expect(lost.map((text) => text.split(" ")[0])).not.toContain("SCHED-9");
  });

  test("without the tag clock is outside the run", () => {
    const given = { ...settings, without: ["clock" as const] };
    expect(lostBy(given, { confirm: () => {} })).toEqual([]);
    const planned = requirementsOf(given, planOf(given));
    expect(planned).toContain("SCHED-9");
    expect(planned).not.toContain("SCHED-20");
  });

  test("without a domain of simulated recipients is every requirement of email requests", () => {
    const { simulatorDomain: _, ...fixtures } = settings.fixtures;
    const lost = lostBy({ ...settings, fixtures }, { advanceClock: () => {}, confirm: () => {} });
    expect(lost).toContain("SEND-2 simulatorDomain");
  });

  test("with one key and without suppressed recipients is not verified, also if there are few sequences", async () => {
    const { suppressed: _, ...fixtures } = settings.fixtures;
    const keys = { full: settings.keys.full ?? "" };
    const given = { ...settings, keys, fixtures, sequences: { sequences: 10 } };
    const outcomes = await runOnSandbox({ settings: given, plans: [planOf(given)] });
    const ids = outcomes.flatMap((outcome) => outcome.ids);
    expect(ids).toContain("SEND-31");
    for (const id of ["AUTH-4", "IDEM-6", "SEND-34", "SEND-35", "SEND-36", "SCHED-5", "BATCH-12"])
      expect(ids).not.toContain(id);
    const run = { ...given, hooks: { advanceClock: () => {}, confirm: () => {} } };
    const plan = planOf(given);
    const planned = new Set(unverifiable(run, plan).keys());
    const result = summarize({
      information: resultOf([]),
      outcomes,
      planned,
      missing: missingFor(run, plan),
    });
    const reasons = new Map(result.requirements.map((one) => [one.id, one.reason]));
    expect(reasons.get("SEND-36")).toBe("Not configured: suppressed.");
    expect(result.exitCode).toBe(3);
    expect(stripVTControlCharacters(consoleText(result)).replaceAll(/\s+/g, " ")).toContain(
      "Set `suppressed`: 2 more requirements",
    );
  });
});

test("a failure does not hide others: each is reported once, and what else was compared passes", async () => {
  const settings = { ...demoSettings("model"), sequences: { sequences: 20 } };
  const plan = planOf({ ...settings, without: ["clock"] }, /email.requests/);
  const twoFaults = shows(
    "LOOK-6",
    "records have no tags, and no subject if canceled",
    (response, { method }) => {
      const body = (response.body ?? {}) as Record<string, unknown>;
      if (method !== "GET" || !("tags" in body)) return response;
      const subject = body.status === "canceled" ? "Another" : body.subject;
      return { ...response, body: { ...body, tags: {}, subject } };
    },
  );
  const outcomes = await runOnSandbox({ settings, plans: [plan], intercept: twoFaults.intercept });
  const [first, ...failures] = outcomes;
  expect(failures.map(({ verdict, ids }) => [verdict, ...ids]).sort()).toEqual([
    ["fail", "LOOK-5"],
    ["fail", "LOOK-6"],
  ]);
  expect(first?.verdict).toBe("pass");
  for (const id of ["SCHED-9", "IDEM-2", "BATCH-9", "SEND-34"]) expect(first?.ids).toContain(id);
});

const outputs = {
  badgeReport,
  consoleText,
  harReport,
  htmlReport,
  jsonText,
  junitReport,
  markdownReport,
  publishedReport: (result: ContractResult) => jsonText(publishedReport(result)),
};

describe("a server that sends keys back", () => {
  test("gets keys, and fails some requirements", async () => {
    const { checks, counts } = await repeatedKeysResult();
    const exchanges = checks.flatMap(({ cases }) => cases.flatMap((one) => one.exchanges));
    expect(
      exchanges.filter(({ response }) => response.headers["x-repeated"] === "Bearer ***").length,
    ).toBeGreaterThan(50);
    expect(counts.fail).toBeGreaterThan(0);
    expect(repeatedKeys().every((key) => key.length >= 8)).toBe(true);
  });

  test.for(Object.entries(outputs))("%s has no key in any form", async ([, make]) => {
    const text = withDecoded(make(await repeatedKeysResult())).toLowerCase();
    // Some checks send keys that are nearly one: in capitals, or without its last letter.
    const nearly = repeatedKeys().map((key) => key.slice(0, -1).toLowerCase());
    expect(nearly.filter((key) => text.includes(key) || text.includes(encodeURIComponent(key)))).toEqual([]);
  });
});

/** A text, and with it everything in it that may be base64, decoded from each of the letters that a byte may begin with. */
function withDecoded(text: string): string {
  const runs = new Set([...text.matchAll(/[\w+/-]{16,}/g)].map(([run]) => run));
  const decoded = [0, 1, 2, 3].flatMap((from) =>
    [...runs].map((run) => Buffer.from(run.slice(from), "base64").toString("latin1")),
  );
  return [text, ...decoded].join("\n");
}

describe("a key with special characters", () => {
  const key = `sk_"live"_<a&b>/ü+${"Q7".repeat(8)}`;
  const redact = redactor(["", key, "short"]);

  test.for([
    ["as it is", key],
    ["in JSON", JSON.stringify({ key })],
    ["in JSON within JSON", JSON.stringify(JSON.stringify({ key }))],
    ["in a URL", `?key=${encodeURIComponent(key)}`],
    [
      "in a URL with lower-case escapes",
      `?key=${encodeURIComponent(key).replaceAll(/%../g, (code) => code.toLowerCase())}`,
    ],
    [
      "in HTML",
      key.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;"),
    ],
    ["in capitals", key.toUpperCase()],
    ["cut", `Bearer ${key.slice(0, 25)}... (200 characters)`],
    ["at the end of what was cut", `Bearer ${key.slice(0, 25)}`],
  ] as const)("is redacted %s", ([, text]) => {
    const redacted = redact(text);
    expect(redacted).toContain("***");
    expect(redacted).not.toMatch(/Q7|live/i);
  });

  test("is redacted in base64 at any offset", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 9 }), fc.string({ maxLength: 9 }), (before, after) => {
        for (const encoding of ["base64", "base64url"] as const) {
          const redacted = redact(Buffer.from(before + key + after).toString(encoding));
          expect(withDecoded(redacted)).not.toContain("Q7Q7Q7");
        }
      }),
    );
  });

  test("a short key is redacted after Bearer only", () => {
    expect(redact("Bearer short, in short")).toBe("Bearer ***, in short");
  });
});
