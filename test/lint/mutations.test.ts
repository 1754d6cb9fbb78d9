import { describe, expect, test } from "vitest";
import { customRules } from "../../openapi/lint/custom-rules.ts";
import { disabledRules } from "../../openapi/lint/disabled-rules.ts";
import { builtIn } from "../../openapi/lint/ruleset.ts";
import type { OpenApiDocument } from "../../scripts/document/types.ts";
import { sourceDocument } from "../scripts/copies.ts";
import { defects, differsFromRelease } from "./mutate/defects.ts";
import { type DefectOutcome, report } from "./mutate/report.ts";

const text = JSON.stringify(await sourceDocument());

describe("the deliberate defects", () => {
  test("are for enabled rules or for the comparison with the release", () => {
    const on = Object.values(builtIn).flatMap(({ rules }) => Object.keys(rules));
    // Spectral itself reports unresolved references.
    const known = [
      ...Object.keys(customRules),
      ...on.filter((id) => !(id in disabledRules)),
      "invalid-ref",
      "release",
    ];
    expect(defects.filter(({ by }) => !known.includes(by)).map(({ name, by }) => `${name}: ${by}`)).toEqual(
      [],
    );
  });

  test("have at least one for each custom rule", () => {
    expect(Object.keys(customRules).filter((id) => !defects.some(({ by }) => by === id))).toEqual([]);
  });

  test.each(defects)(
    "$topic: $name changes the document, and differs from the release if that is how it is found",
    ({ by, edit }) => {
      const copy: OpenApiDocument = JSON.parse(text);
      edit(copy);
      expect(JSON.stringify(copy) === text).toBe(false);
      if (by === "release") expect(differsFromRelease(copy)).toBe(true);
    },
  );
});

describe("the report", () => {
  const clean: DefectOutcome = { topic: "", name: "", by: "", foundBy: [] };
  const foundByAll = Object.keys(customRules).map((by) => ({
    topic: "headers",
    name: `one for ${by}`,
    by,
    foundBy: [by],
  }));

  test("passes if every rule found its defects", () => {
    expect(report([clean, ...foundByAll])).toMatchObject({ passed: true });
  });

  const broken: [string, DefectOutcome[], string][] = [
    [
      "a survivor",
      [{ topic: "limits", name: "a longer subject", by: "release", foundBy: [] }],
      "limits: a longer subject",
    ],
    [
      "a defect found by another rule",
      [{ topic: "limits", name: "a longer subject", by: "release", foundBy: ["json-only"] }],
      "limits: a longer subject (release; found by json-only)",
    ],
  ];
  test.each(broken)("lists %s", (_name, outcomes, line) => {
    const { text, passed } = report([clean, ...foundByAll, ...outcomes]);
    expect(passed).toBe(false);
    expect(text).toContain(line);
  });

  test("lists a false positive, and a rule that found nothing", () => {
    const { text, passed } = report([{ ...clean, foundBy: ["json-only"] }, ...foundByAll.slice(1)]);
    expect(passed).toBe(false);
    expect(text).toMatch(/False positives on the document itself:\n {2}json-only/);
    expect(text).toContain(`Custom rules that found no defect:\n  ${foundByAll[0]?.by}`);
  });
});
