import { plainTable } from "../../../lib/table.ts";
import type { ServerOutcome } from "./outcome.ts";

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
  const ofOnePath = compared.filter((one) => one.full.isOfOnePath);
  const others = compared.filter((one) => !one.full.isOfOnePath);
  return [
    ...(others.length === 0 ? [] : [`Mutants with a fault on every path:\n\n${tableOf(others)}`]),
    ...(ofOnePath.length === 0 ? [] : [`Mutants with a fault on one path:\n\n${tableOf(ofOnePath)}`]),
    `${legend}\nThe model needs at most ${slowest(compared)} s for a mutant that it kills.`,
  ].join("\n\n");
}

const topicOf = ({ full }: Compared): string => full.requirement.split("-", 1).join();

function tableOf(members: readonly Compared[]): string {
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
