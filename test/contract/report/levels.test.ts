import { describe, expect, test } from "vitest";
import { clientCases, requirementsOfCases } from "../../../contract/client-suite/run-client.ts";
import type { Omissible } from "../../../contract/engine/settings.ts";
import { planOf } from "../../../contract/plan.ts";
import { badgeReport, levelBadgeReport } from "../../../contract/report/badge.ts";
import { consoleText } from "../../../contract/report/console.ts";
import { htmlReport } from "../../../contract/report/html.ts";
import { levelStates, levelsShownBy, stateText } from "../../../contract/report/levels.ts";
import { markdownReport } from "../../../contract/report/markdown.ts";
import { requirementsOf } from "../../../contract/verifiable.ts";
import { levels, requirements } from "../../../generated/requirements.ts";
import { readBundle } from "../../../scripts/document/read-bundle.ts";
import { demoSettings } from "../../mutants/demo.ts";
import { outcome, resultOf } from "./samples.ts";

const [core, full, withMail] = levelsShownBy("full");

/** What a run verifies on a server with every other fixture. In `full`, sequences show what responses alone do in `core`. */
const verifiable = (profile: "core" | "full", without: Omissible[]): string[] => {
  const profiles = profile === "core" ? (["core"] as const) : (["core", "full"] as const);
  const ids = profiles.flatMap((one) => {
    const settings = { ...demoSettings(one), without };
    return [...requirementsOf(settings, planOf(settings))];
  });
  return [...new Set(ids)].sort();
};

describe("the levels of the document", () => {
  test.each([
    [core, "core", ["mailbox", "pages", "attachmentHash"]],
    [full, "full", ["mailbox", "pages", "attachmentHash"]],
    [withMail, "full", ["pages", "attachmentHash"]],
  ] as const)("contain what a profile verifies: $title", (level, profile, without) => {
    expect(level?.ids.toSorted()).toEqual(verifiable(profile, [...without]));
  });

  test("leave out only requirements that exist, each once", () => {
    const ids = levels.flatMap(({ leavesOut }): readonly string[] => leavesOut);
    expect(ids.filter((id) => !Object.hasOwn(requirements, id))).toEqual([]);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test("of clients contain what the client suite verifies, in both profiles", () => {
    const ids = requirementsOfCases(clientCases("full"));
    expect(requirementsOfCases(clientCases("core"))).toEqual(ids);
    const shown = levelsShownBy("core", ids);
    expect(shown.map(({ id }) => id)).toEqual(["core", "full"]);
    expect(shown[1]?.ids).toEqual([...ids]);
  });

  test("belong to the profiles core and full alone", () => {
    for (const profile of ["mock", "model", "email", "newsletter"] as const)
      expect(levelsShownBy(profile)).toEqual([]);
  });

  test("are in the document", async () => {
    expect((await readBundle())["x-levels"]).toEqual(levels);
  });
});

describe("a level", () => {
  const asked = [{ id: "core", title: "Core", profile: "core" as const, ids: ["IDEM-1", "SEND-1"] }];
  const row = (id: string, verdict: "pass" | "fail" | "expected failure" | "not verified" | "error") => ({
    ...{ id, topic: "t", text: "T.", verdict, passed: 0, failed: 0 },
  });
  const stateOf = (verdicts: Parameters<typeof row>[1][], profile: "core" | "full" | "email" = "full") => {
    const found = verdicts.map((verdict, index) => row(asked[0]?.ids[index] ?? "", verdict));
    return levelStates({ profile, requirements: found }, asked)[0];
  };

  test.each([
    [["pass", "pass"], "passed"],
    [["pass", "expected failure"], "passed with exceptions"],
    [["expected failure", "fail"], "not passed"],
    [["pass", "not verified"], "not passed"],
    [["pass", "error"], "not passed"],
    [["pass"], "not passed"],
  ] as const)("%j: %s", (verdicts, state) => {
    expect(stateOf([...verdicts])?.state).toBe(state);
  });

  test("names what keeps it from being passed", () => {
    expect(stateOf(["fail"])).toMatchObject({ failed: ["IDEM-1"], notVerified: ["SEND-1"] });
    expect(stateOf(["expected failure", "pass"])?.exceptions).toEqual(["IDEM-1"]);
  });

  test.each([
    [["lists.second", "mailbox", "slow"], "not passed"],
    [["mailbox", "pages", "attachmentHash"], "passed"],
  ])("of a run without %j: %s", (without, text) => {
    const requirements = [row("IDEM-1", "pass"), row("SEND-1", "pass")];
    const [level] = levelStates({ profile: "full", without, requirements }, asked);
    expect(level && stateText(level, new Map())).toBe(text);
  });

  test("counts apart what is not verified and what is outside the run", () => {
    const requirements = [row("IDEM-1", "not verified")];
    const [level] = levelStates({ profile: "full", requirements }, asked);
    const verdicts = new Map(requirements.map(({ id, verdict }) => [id, verdict]));
    expect(level && stateText(level, verdicts)).toBe("not passed: 1 not verified, 1 outside the run");
  });

  test("is not passed by a run of a profile with fewer test cases", () => {
    const found = levelStates({ profile: "core", requirements: [] }, [
      { ...asked[0], id: "full", title: "Full", profile: "full", ids: [] },
    ]);
    expect(found[0]).toMatchObject({ state: "not passed", profile: "full" });
  });
});

describe("reports", () => {
  const implementation = { name: "Postbox <b>", version: "2.3.0" };
  const level = { id: "full", title: "Full", exceptions: ["SEND-1"], failed: [], notVerified: [] };
  const result = resultOf([outcome({})], [], {
    implementation,
    levels: [{ ...level, state: "passed with exceptions" }],
  });

  test("name the implementation and its levels", () => {
    for (const text of [consoleText(result), markdownReport(result), htmlReport(result)]) {
      expect(text).toMatch(/Postbox.{0,8}b.{0,4} 2\.3\.0/);
      expect(text).toContain("Full passed with 1 exception");
    }
    expect(htmlReport(result)).not.toContain("Postbox <b>");
  });

  test("say once what every level requires and the run leaves out", () => {
    const notPassed = { ...level, state: "not passed" as const, exceptions: [], notVerified: ["IDEM-1"] };
    const leftOut = ["template", "slow"];
    const partial = resultOf([outcome({})], [], {
      implementation,
      notImplemented: ["sendBatch"],
      levels: [
        { ...notPassed, title: "Core", leftOut },
        { ...notPassed, profile: "full", leftOut },
      ],
    });
    const said =
      "Core not passed: 1 not verified. Full not passed: needs the profile full. Every level requires what the run leaves out: template, slow and 1 operation not implemented";
    const separators = / · |<\/li><li>/g;
    for (const text of [consoleText(partial), markdownReport(partial), htmlReport(partial)])
      expect(text.replaceAll(separators, ". ").replaceAll(/\s+/g, " ")).toContain(said);
  });

  test("a badge has the implementation and its highest level", () => {
    expect(levelBadgeReport({ ...result, without: ["template"], notImplemented: ["sendBatch"] })).toContain(
      "<title>Contract of Postbox &lt;b&gt; 2.3.0: Full, 1 exception (profile core, 1 operation not implemented)</title>",
    );
    expect(levelBadgeReport({ ...result, levels: [{ ...level, state: "not passed" }] })).toContain(
      "no level",
    );
    expect(badgeReport(result)).toContain("1 of 1 pass");
  });
});
