import { describe, expect, test } from "vitest";
import { ownRules } from "../../openapi/lint/custom-rules.ts";
import { switchedOff } from "../../openapi/lint/disabled-rules.ts";
import { builtIn } from "../../openapi/lint/ruleset.ts";
import type { OpenApiDocument } from "../../scripts/document/types.ts";
import { brokenFacts } from "../openapi/facts.ts";
import { sourceDocument } from "../scripts/document.ts";
import { defects } from "./mutate/defects.ts";
import { type DefectOutcome, report } from "./mutate/report.ts";

const text = JSON.stringify(await sourceDocument());

describe("the deliberate defects", () => {
  test("are meant for rules that are on, or for the facts", () => {
    const on = Object.values(builtIn).flatMap(({ rules }) => Object.keys(rules));
    // Spectral itself reports references that lead nowhere.
    const known = [
      ...Object.keys(ownRules),
      ...on.filter((id) => !(id in switchedOff)),
      "invalid-ref",
      "facts",
    ];
    expect(defects.filter(({ by }) => !known.includes(by)).map(({ name, by }) => `${name}: ${by}`)).toEqual(
      [],
    );
  });

  test("have at least one for each rule of our own", () => {
    expect(Object.keys(ownRules).filter((id) => !defects.some(({ by }) => by === id))).toEqual([]);
  });

  test.each(defects)(
    "$topic: $name changes the document, and breaks a fact if that is what it is for",
    ({ by, edit }) => {
      const copy: OpenApiDocument = JSON.parse(text);
      edit(copy);
      expect(JSON.stringify(copy) === text).toBe(false);
      if (by === "facts") expect(brokenFacts(copy)).not.toEqual([]);
    },
  );
});

describe("the report", () => {
  const clean: DefectOutcome = { topic: "", name: "", by: "", noticed: [] };
  const noticedByAll = Object.keys(ownRules).map((by) => ({
    topic: "headers",
    name: `one for ${by}`,
    by,
    noticed: [by],
  }));

  test("holds when everyone noticed what was meant for them", () => {
    expect(report([clean, ...noticedByAll])).toMatchObject({ held: true });
  });

  const broken: [string, DefectOutcome[], string][] = [
    [
      "a survivor",
      [{ topic: "limits", name: "a longer subject", by: "facts", noticed: [] }],
      "limits: a longer subject",
    ],
    [
      "a defect that another noticed",
      [{ topic: "limits", name: "a longer subject", by: "facts", noticed: ["json-only"] }],
      "limits: a longer subject (facts; noticed by json-only)",
    ],
  ];
  test.each(broken)("tells %s", (_name, outcomes, line) => {
    const { text, held } = report([clean, ...noticedByAll, ...outcomes]);
    expect(held).toBe(false);
    expect(text).toContain(line);
  });

  test("tells a false alarm, and a rule that noticed nothing", () => {
    const { text, held } = report([{ ...clean, noticed: ["json-only"] }, ...noticedByAll.slice(1)]);
    expect(held).toBe(false);
    expect(text).toMatch(/False alarm on the document as it is:\n {2}json-only/);
    expect(text).toContain(`Rules of our own without a defect that they notice:\n  ${noticedByAll[0]?.by}`);
  });
});
