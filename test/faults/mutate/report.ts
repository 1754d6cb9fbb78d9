import { styleText } from "node:util";
import { plainTable } from "../../../lib/table.ts";
import { type FaultOutcome, isKilled } from "./killed.ts";

/** How many other requirements a row names before it counts the rest. */
const mostNamed = 4;

/** The kill table: a text for a terminal of 80 columns, and whether every fault was killed by the requirement that it breaks. */
export function killTable(outcomes: readonly FaultOutcome[]): { text: string; held: boolean } {
  const missed = outcomes.filter((outcome) => !isKilled(outcome));
  const wrong = outcomes.filter(({ errors }) => errors.length > 0);
  const parts = [
    tableOf(outcomes),
    ...(missed.length === 0 ? [] : [`Not killed by their own requirement:\n\n${tableOf(missed)}`]),
    ...(wrong.length === 0 ? [] : [`Where the suite met an error:\n\n${errorsOf(wrong)}`]),
    summaryOf(outcomes),
  ];
  return { text: parts.join("\n\n"), held: missed.length === 0 };
}

const tableOf = (outcomes: readonly FaultOutcome[]): string =>
  plainTable({
    head: ["breaks", "what is wrong", "killed by", "fell too"],
    rows: outcomes.map((outcome) => [outcome.breaks, outcome.title, killedBy(outcome), others(outcome)]),
    widths: [9, 38, 9, 21],
  });

const killedBy = (outcome: FaultOutcome): string => {
  if (isKilled(outcome)) return "its own";
  return outcome.fell.length > 0 ? styleText("yellow", "others") : styleText("red", "SURVIVED");
};

function others({ breaks, fell }: FaultOutcome): string {
  const rest = fell.filter((id) => id !== breaks);
  const more = rest.length - mostNamed;
  return [...rest.slice(0, mostNamed), ...(more > 0 ? [`+${more}`] : [])].join(" ");
}

const errorsOf = (outcomes: readonly FaultOutcome[]): string =>
  plainTable({
    head: ["breaks", "what is wrong", "the first error"],
    // Of what the suite itself failed with, where it did is in the JSON.
    rows: outcomes.map(({ breaks, title, errors: [first = ""] }) => [
      breaks,
      title,
      first.split("\n", 1).join(),
    ]),
    widths: [9, 25, 44],
  });

function summaryOf(outcomes: readonly FaultOutcome[]): string {
  const own = outcomes.filter(isKilled).length;
  const survived = outcomes.filter(({ fell }) => fell.length === 0).length;
  const { size } = new Set(outcomes.map(({ breaks }) => breaks));
  const share = outcomes.length === 0 ? "none" : `${((100 * own) / outcomes.length).toFixed(1)} %`;
  return [
    `${outcomes.length} ${outcomes.length === 1 ? "fault" : "faults"} of ${size} ${size === 1 ? "requirement" : "requirements"}:`,
    `${own} killed by their own (${share}), ${outcomes.length - own - survived} by others only, ${survived} survived.`,
  ].join("\n");
}
