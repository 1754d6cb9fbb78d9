import { plainTable } from "../../../lib/table.ts";
import { ownRules } from "../../../openapi/lint/custom-rules.ts";

/** What became of a defect: who should have noticed it, and everyone who did. */
export interface DefectOutcome {
  topic: string;
  name: string;
  by: string;
  /** Ids of the rules that found something, and `facts` where a fact is broken. */
  noticed: string[];
}

/** What the outcomes come to: a text for a terminal, and whether everything held. */
export function report(outcomes: DefectOutcome[]): { text: string; held: boolean } {
  const clean = outcomes.find(({ topic }) => topic === "");
  const tried = outcomes.filter(({ topic }) => topic !== "");
  const survivors = tried.filter(({ noticed }) => noticed.length === 0);
  const missed = tried.filter(({ by, noticed }) => noticed.length > 0 && !noticed.includes(by));
  const idle = Object.keys(ownRules).filter(
    (id) => !tried.some(({ by, noticed }) => by === id && noticed.includes(id)),
  );
  const alarms = clean?.noticed ?? ["the clean document was not tried"];
  const text = [
    byTopic(tried),
    byRule(tried),
    `${tried.length} defects, ${tried.length - survivors.length} noticed, ${survivors.length} survived.`,
    ...list("False alarm on the document as it is", alarms),
    ...list(
      "Survived",
      survivors.map(({ topic, name }) => `${topic}: ${name}`),
    ),
    ...list(
      "Not noticed by the one who should",
      missed.map(
        ({ topic, name, by, noticed }) => `${topic}: ${name} (${by}; noticed by ${noticed.join(", ")})`,
      ),
    ),
    ...list("Rules of our own without a defect that they notice", idle),
  ].join("\n\n");
  return { text, held: [survivors, missed, idle, alarms].every(({ length }) => length === 0) };
}

const list = (title: string, entries: string[]): string[] =>
  entries.length === 0 ? [] : [[`${title}:`, ...entries.map((entry) => `  ${entry}`)].join("\n")];

function byTopic(outcomes: DefectOutcome[]): string {
  const topics = Object.entries(Object.groupBy(outcomes, ({ topic }) => topic));
  const count = (of: DefectOutcome[], test: (outcome: DefectOutcome) => boolean): string =>
    String(of.filter(test).length);
  return plainTable({
    head: ["topic", "defects", "by lint", "by facts", "survived"],
    rows: topics.map(([topic, of = []]) => [
      topic,
      String(of.length),
      count(of, ({ noticed }) => noticed.some((who) => who !== "facts")),
      count(of, ({ noticed }) => noticed.includes("facts")),
      count(of, ({ noticed }) => noticed.length === 0),
    ]),
    widths: [16, 10, 10, 10, 10],
    align: ["left", "right", "right", "right", "right"],
  });
}

function byRule(outcomes: DefectOutcome[]): string {
  const everyone = [...new Set(outcomes.flatMap(({ by, noticed }) => [by, ...noticed]))].filter(
    (who) => !who.includes(" "),
  );
  const times = (who: string): number => outcomes.filter(({ noticed }) => noticed.includes(who)).length;
  const meant = (who: string): number => outcomes.filter(({ by }) => by === who).length;
  return plainTable({
    head: ["noticed by", "meant for it", "noticed"],
    rows: everyone
      .sort((one, other) => times(other) - times(one))
      .map((who) => [who, String(meant(who)), String(times(who))]),
    widths: [50, 13, 9],
    align: ["left", "right", "right"],
  });
}
