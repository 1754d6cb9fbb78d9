import { stripVTControlCharacters } from "node:util";
import { describe, expect, test } from "vitest";
import { planOf } from "../../../contract/plan.ts";
import { consoleText } from "../../../contract/report/console.ts";
import { htmlReport } from "../../../contract/report/html.ts";
import { jsonReport } from "../../../contract/report/json.ts";
import { markdownReport } from "../../../contract/report/markdown.ts";
import type { ContractResult } from "../../../contract/report/result.ts";
import { missingSettings } from "../../../contract/report/sections.ts";
import { demoSettings } from "../../mutants/demo.ts";
import { runOnSandbox } from "../../mutants/harness.ts";
import { outcome, resultOf } from "./samples.ts";

/** A result in which requirements lack settings, by id; several lists are several test cases. */
const lacking = (needs: Record<string, string[]>): ContractResult =>
  resultOf(
    Object.entries(needs).flatMap(([id, lists]) =>
      lists.map((list) =>
        outcome({
          ids: [id],
          check: `check of ${id}`,
          title: list,
          verdict: list === "" ? "pass" : "not verified",
          ...(list !== "" && {
            reason: list.includes(" ") ? list : `Not configured: ${list.split(",").join(", ")}.`,
          }),
        }),
      ),
    ),
    [],
  );

const counted = (needs: Record<string, string[]>): Record<string, number> =>
  Object.fromEntries(
    missingSettings(lacking(needs)).map(({ settings, ids }) => [settings.join("+"), ids.length]),
  );

describe("the missing settings", () => {
  test("that only help together are one entry, and others count what they add", () => {
    expect(
      counted({
        "SEND-1": ["simulatorDomain,domains.verified"],
        "SEND-2": ["simulatorDomain,domains.verified"],
        "SEND-3": ["domains.verified,simulatorDomain"],
        "SIM-6": ["simulatorDomain"],
        "ATT-2": ["simulatorDomain,domains.verified,attachmentLink"],
      }),
    ).toEqual({ "domains.verified+simulatorDomain": 4, attachmentLink: 1 });
  });

  test("that a server may be unable to have can be left out", () => {
    const result = lacking({ "SEND-11": ["mailbox"], "SEND-1": ["domains.verified"] });
    const text = stripVTControlCharacters(consoleText(result)).replaceAll(/\s+/g, " ");
    expect(text).toContain("- Set `mailbox`: 1 more requirement, or leave them out: `--without mailbox` Req");
    expect(text).toContain("- Set `domains.verified`: 1 more requirement ");
    expect(markdownReport(result)).toContain(
      "- Set `mailbox`: 1 more requirement, or leave them out: `--without mailbox`",
    );
  });

  test("of a requirement are those of all its test cases", () => {
    expect(counted({ "AUTH-4": ["keys.second", "lists.plain", ""] })).toEqual({
      "keys.second+lists.plain": 1,
    });
  });

  test("do not count a requirement that something else keeps from being verified", () => {
    expect(counted({ "CONT-10": ["keys.second", "The account has 3 custom fields."] })).toEqual({});
  });

  test("are lines in the reports, the most first, and the JSON report has each requirement", async () => {
    const plans = [planOf(demoSettings("core"))];
    const { keys, ...settings } = demoSettings("core");
    const bare = { ...settings, keys: { full: keys.full ?? "" }, fixtures: {}, hooks: {} };
    const result = resultOf(await runOnSandbox({ settings: bare, plans }), []);
    const entries = missingSettings(result);
    const numbers = entries.map(({ ids }) => ids.length);
    expect(numbers).toEqual(numbers.toSorted((one, other) => other - one));
    const ids = entries.flatMap((entry) => entry.ids);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBeGreaterThan(100);
    const settingNames = entries.flatMap((entry) => entry.settings);
    expect(new Set(settingNames).size).toBe(settingNames.length);
    const first = `${numbers[0]} more requirements`;
    const text = stripVTControlCharacters(consoleText(result));
    expect(text).toMatch(new RegExp(`^Not verified:\n- Set \`[^\n]*\` and \`[^\n]*\`: ${first}$`, "m"));
    expect(text).not.toContain("not configured");
    expect(markdownReport(result)).toMatch(new RegExp(`\n\n- Set \`[^\n]*\` and \`[^\n]*\`: ${first}\n`));
    expect(htmlReport(result)).toContain(first);
    const { requirements } = JSON.parse(jsonReport(result)) as ContractResult;
    for (const id of ids) expect(requirements.find((one) => one.id === id)?.verdict).toBe("not verified");
  });
});
