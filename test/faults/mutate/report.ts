import { styleText } from "node:util";
import { plainTable } from "../../../scripts/table.ts";
import { type FaultOutcome, isKilled } from "./outcome.ts";

/** How many other requirements a row names before it counts the rest. */
const mostNamed = 4;

/** The kill table: a text for a terminal of 80 columns, and whether every fault was killed by the requirement that it breaks. */
export function killTable(outcomes: readonly FaultOutcome[]): { text: string; held: boolean } {
  const own = outcomes.filter(isKilled);
  const survived = outcomes.filter(({ fell }) => fell.length === 0);
  const table = plainTable({
    head: ["breaks", "what is wrong", "killed by", "fell too"],
    rows: outcomes.map((outcome) => [outcome.breaks, outcome.title, killedBy(outcome), others(outcome)]),
    widths: [9, 38, 9, 21],
  });
  const requirements = new Set(outcomes.map(({ breaks }) => breaks)).size;
  const summary = [
    `${outcomes.length} faults of ${requirements} requirements`,
    `${own.length} killed by their own (${share(own.length, outcomes.length)})`,
    `${outcomes.length - own.length - survived.length} by others only`,
    `${survived.length} survived`,
  ].join(", ");
  const held = own.length === outcomes.length;
  return { text: `${table}\n\n${summary}.${inDetail(outcomes)}`, held };
}

const killedBy = (outcome: FaultOutcome): string => {
  if (isKilled(outcome)) return "its own";
  return outcome.fell.length > 0 ? styleText("yellow", "others") : styleText("red", "SURVIVED");
};

function others({ breaks, fell }: FaultOutcome): string {
  const rest = fell.filter((id) => id !== breaks);
  const more = rest.length - mostNamed;
  return [...rest.slice(0, mostNamed), ...(more > 0 ? [`+${more}`] : [])].join(" ");
}

const share = (part: number, whole: number): string =>
  whole === 0 ? "none" : `${((100 * part) / whole).toFixed(1)} %`;

/** The faults that something is the matter with, once more at the end, where they are seen. */
function inDetail(outcomes: readonly FaultOutcome[]): string {
  const missed = outcomes.filter((outcome) => !isKilled(outcome));
  const wrong = outcomes.filter(({ errors }) => errors.length > 0);
  return [
    ...missed.map(
      ({ breaks, title, fell }) =>
        `\n${fell.length === 0 ? "survived" : "killed by others only"}: ${breaks} ${title}`,
    ),
    ...wrong.map(({ breaks, title, errors }) => `\nerrors with ${breaks} ${title}: ${errors[0]}`),
  ].join("");
}
