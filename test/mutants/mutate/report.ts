import { styleText } from "node:util";
import { plainTable } from "../../../lib/table.ts";
import { failedIn, isKilled, type MutantOutcome, subsumed } from "./killed.ts";
import type { ServerOutcome } from "./outcome.ts";

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

/** The mutants that prove nothing more than another one, for a terminal of 80 columns. */
export function tableOfSubsumed(outcomes: readonly MutantOutcome[]): string {
  const rows = subsumed(outcomes).map(({ outcome, by }) => [outcome.requirement, outcome.title, by.title]);
  const head = ["violates", "fault", "every case that kills this one kills it"];
  const count = `${rows.length} of ${outcomes.length} mutants prove nothing more than another one.`;
  return rows.length === 0 ? count : `${plainTable({ head, rows, widths: [9, 34, 34] })}\n\n${count}`;
}

/** The outcomes of the profiles `full` and `model` on one mutant. */
interface Compared {
  full: ServerOutcome;
  model: ServerOutcome;
}

const byChecks = ({ full }: Compared): boolean => full.killers.some(({ isModel }) => !isModel);
const byModel = ({ model }: Compared): boolean => model.killers.length > 0;

/** The mutants that each number of a row counts. */
const columns: { head: string; counts(one: Compared): boolean }[] = [
  { head: "mutants", counts: () => true },
  { head: "checks", counts: byChecks },
  { head: "model", counts: byModel },
  { head: "both", counts: (one) => byChecks(one) || byModel(one) },
  { head: "full", counts: ({ full }) => full.killers.length > 0 },
];

const legend = `checks: the hand-written checks; model: the profile model; both: one of them;
full: the profile full, which has the checks and fewer sequences than model.`;

/** How many mutants the hand-written checks and the model kill, by topic, for a terminal of 80 columns. */
export function tableByOrigin(full: readonly ServerOutcome[], model: readonly ServerOutcome[]): string {
  const compared = full.flatMap((outcome, index) => {
    const other = model[index];
    return other === undefined ? [] : [{ full: outcome, model: other }];
  });
  return `${tableOfOrigins(compared)}\n\n${legend}\nThe model needs at most ${slowest(compared)} s for a mutant that it kills.`;
}

const topicOf = ({ full }: Compared): string => full.requirement.split("-", 1).join();

function tableOfOrigins(members: readonly Compared[]): string {
  const row = (title: string, cell: (column: (typeof columns)[number]) => string): string[] => [
    title,
    ...columns.map(cell),
  ];
  const number = (of: readonly Compared[]) => (column: (typeof columns)[number]) =>
    String(of.filter(column.counts).length);
  const topics = [...new Set(members.map(topicOf))].sort();
  return plainTable({
    head: row("violates", ({ head }) => head),
    rows: [
      ...topics.map((topic) => row(topic, number(members.filter((one) => topicOf(one) === topic)))),
      row("all", number(members)),
      row("", ({ counts }) => `${((100 * members.filter(counts).length) / members.length).toFixed(1)} %`),
    ],
    widths: [8, ...columns.map(() => 9)],
    align: ["left", ...columns.map(() => "right" as const)],
  });
}

const slowest = (compared: readonly Compared[]): string => {
  const times = compared.filter(byModel).map(({ model }) => model.milliseconds);
  return (Math.max(0, ...times) / 1000).toFixed(0);
};

/** A progress line on a terminal. */
export function report(outcome: MutantOutcome, progress: string): void {
  if (!process.stderr.isTTY) return;
  const line = `${progress}  ${outcome.requirement} ${isKilled(outcome) ? "" : "SURVIVED "}${outcome.title}`;
  process.stderr.write(`\r\u001b[K${line.slice(0, 79)}`);
}
