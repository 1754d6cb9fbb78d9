import { styleText } from "node:util";
import { plainTable } from "../../../lib/table.ts";
import { failedIn, isKilled, type MutantOutcome } from "./killed.ts";

/** How many further requirements a row names before it counts the rest. */
const mostNamed = 4;

/** The report for a terminal of 80 columns, and whether every mutant was killed by its own requirement. */
export function killTable(outcomes: readonly MutantOutcome[]): { text: string; passed: boolean } {
  const missed = outcomes.filter((outcome) => !isKilled(outcome));
  const wrong = outcomes.filter(({ errors }) => errors.length > 0);
  const parts = [
    tableOf(outcomes),
    ...(missed.length === 0 ? [] : [`Not killed by their own requirement:\n\n${tableOf(missed)}`]),
    ...(wrong.length === 0 ? [] : [`Errors of the suite:\n\n${errorsOf(wrong)}`]),
    summaryOf(outcomes),
  ];
  return { text: parts.join("\n\n"), passed: missed.length === 0 };
}

const tableOf = (outcomes: readonly MutantOutcome[]): string =>
  plainTable({
    head: ["violates", "fault", "killed by", "also failed"],
    rows: outcomes.map((outcome) => [outcome.requirement, outcome.title, killedBy(outcome), others(outcome)]),
    widths: [9, 38, 9, 21],
  });

/** How many mutants violate each requirement, and how many of them its checks kill, for a terminal of 80 columns. */
export function tableByRequirement(outcomes: readonly MutantOutcome[]): string {
  const numbers = (of: readonly MutantOutcome[]): string[] => [
    String(of.length),
    String(of.filter(isKilled).length),
    String(of.filter((one) => !isKilled(one) && one.killers.length > 0).length),
    String(of.filter(({ killers }) => killers.length === 0).length),
  ];
  const byRequirement = Map.groupBy(outcomes, ({ requirement }) => requirement);
  const ids = [...byRequirement.keys()].sort((one, other) =>
    one.localeCompare(other, "en", { numeric: true }),
  );
  return plainTable({
    head: ["violates", "mutants", "killed by its own", "by others only", "survived"],
    rows: [...ids.map((id) => [id, ...numbers(byRequirement.get(id) ?? [])]), ["all", ...numbers(outcomes)]],
    widths: [10, 9, 19, 16, 10],
    align: ["left", "right", "right", "right", "right"],
  });
}

const killedBy = (outcome: MutantOutcome): string => {
  if (isKilled(outcome)) return "its own";
  return outcome.killers.length > 0 ? styleText("yellow", "others") : styleText("red", "SURVIVED");
};

function others(outcome: MutantOutcome): string {
  const rest = failedIn(outcome).filter((id) => id !== outcome.requirement);
  const more = rest.length - mostNamed;
  return [...rest.slice(0, mostNamed), ...(more > 0 ? [`+${more}`] : [])].join(" ");
}

const errorsOf = (outcomes: readonly MutantOutcome[]): string =>
  plainTable({
    head: ["violates", "fault", "first error"],
    // The stack of an error of the suite itself is in the JSON.
    rows: outcomes.map(({ requirement, title, errors: [first = ""] }) => [
      requirement,
      title,
      first.split("\n", 1).join(),
    ]),
    widths: [9, 25, 44],
  });

function summaryOf(outcomes: readonly MutantOutcome[]): string {
  const own = outcomes.filter(isKilled).length;
  const survived = outcomes.filter(({ killers }) => killers.length === 0).length;
  const { size } = new Set(outcomes.map(({ requirement }) => requirement));
  const share = outcomes.length === 0 ? "none" : `${((100 * own) / outcomes.length).toFixed(1)} %`;
  return [
    `${outcomes.length} ${outcomes.length === 1 ? "mutant" : "mutants"} of ${size} ${size === 1 ? "requirement" : "requirements"}:`,
    `${own} killed by their own requirement (${share}), ${outcomes.length - own - survived} by others only, ${survived} survived.`,
  ].join("\n");
}
