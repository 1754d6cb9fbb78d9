import { plainTable } from "../../../lib/table.ts";
import { UserError } from "../../../lib/user-error.ts";
import { customRules } from "../../../openapi/lint/custom-rules.ts";
import { lint } from "../../../scripts/lint/lint.ts";
import { onCopy } from "../../scripts/copies.ts";
import { sources } from "../mutations/sources.ts";

/** The outcome of a defect: the rule that should find it, and those that did. */
export interface DefectOutcome {
  topic: string;
  name: string;
  by: string;
  /** Ids of the rules that found it; `release` if it is a change since the latest release. */
  foundBy: string[];
}

/** The outcomes as text for a terminal, and whether each defect was found by the expected rule. */
export function report(outcomes: DefectOutcome[]): { text: string; passed: boolean } {
  const clean = outcomes.find(({ topic }) => topic === "");
  const tried = outcomes.filter(({ topic }) => topic !== "");
  const survivors = tried.filter(({ foundBy }) => foundBy.length === 0);
  const missed = tried.filter(({ by, foundBy }) => foundBy.length > 0 && !foundBy.includes(by));
  const idle = Object.keys(customRules).filter(
    (id) => !tried.some(({ by, foundBy }) => by === id && foundBy.includes(id)),
  );
  const falsePositives = clean?.foundBy ?? ["the clean document was not tried"];
  const text = [
    byTopic(tried),
    byRule(tried),
    `${tried.length} defects, ${tried.length - survivors.length} found, ${survivors.length} survived.`,
    ...list("False positives on the document itself", falsePositives),
    ...list(
      "Survived",
      survivors.map(({ topic, name }) => `${topic}: ${name}`),
    ),
    ...list(
      "Not found by the expected rule",
      missed.map(
        ({ topic, name, by, foundBy }) => `${topic}: ${name} (${by}; found by ${foundBy.join(", ")})`,
      ),
    ),
    ...list("Custom rules that found no defect", idle),
  ].join("\n\n");
  return { text, passed: [survivors, missed, idle, falsePositives].every(({ length }) => length === 0) };
}

const list = (title: string, entries: string[]): string[] =>
  entries.length === 0 ? [] : [[`${title}:`, ...entries.map((entry) => `  ${entry}`)].join("\n")];

function byTopic(outcomes: DefectOutcome[]): string {
  const topics = Object.entries(Object.groupBy(outcomes, ({ topic }) => topic));
  const count = (of: DefectOutcome[], test: (outcome: DefectOutcome) => boolean): string =>
    String(of.filter(test).length);
  return plainTable({
    head: ["topic", "defects", "by lint", "by release", "survived"],
    rows: topics.map(([topic, of = []]) => [
      topic,
      String(of.length),
      count(of, ({ foundBy }) => foundBy.some((id) => id !== "release")),
      count(of, ({ foundBy }) => foundBy.includes("release")),
      count(of, ({ foundBy }) => foundBy.length === 0),
    ]),
    widths: [16, 10, 10, 10, 10],
    align: ["left", "right", "right", "right", "right"],
  });
}

function byRule(outcomes: DefectOutcome[]): string {
  const ids = [...new Set(outcomes.flatMap(({ by, foundBy }) => [by, ...foundBy]))].filter(
    (id) => !id.includes(" "),
  );
  const found = (id: string): number => outcomes.filter(({ foundBy }) => foundBy.includes(id)).length;
  const expected = (id: string): number => outcomes.filter(({ by }) => by === id).length;
  return plainTable({
    head: ["found by", "expected", "found"],
    rows: ids
      .sort((one, other) => found(other) - found(one))
      .map((id) => [id, String(expected(id)), String(found(id))]),
    widths: [50, 13, 9],
    align: ["left", "right", "right"],
  });
}

/** Tries every defect of the sources on a copy of them. */
export async function sourceOutcomes(): Promise<DefectOutcome[]> {
  const outcomes: DefectOutcome[] = [];
  for (const [name, { by, edit }] of Object.entries(sources)) {
    const found = await onCopy("document", async (copy) => {
      await edit(copy);
      const findings = await lint(copy.source);
      return findings.map(({ rule }) => rule);
    }).catch((error: unknown) => {
      if (error instanceof UserError) return [error.message];
      throw error;
    });
    // Either the message of the error or the rule of a finding must be the expected one.
    const expected = found.find((text) => by.test(text));
    const foundBy = expected === undefined ? found : ["sources", ...found];
    outcomes.push({ topic: "sources", name, by: "sources", foundBy });
  }
  return outcomes;
}
