import { styleText } from "node:util";
import { plainTable } from "../table.ts";
import { wrapped } from "../text.ts";
import type { ContractFailure, ContractResult } from "./result.ts";

const mostInFull = 8;
const mostTitles = 40;

/** The result for a terminal of 80 columns: the counts by topic, what was left out, and what failed. */
export function contractText(result: ContractResult): string {
  return [topics(result), ...leftOut(result), ...failed(result.failures), summary(result)].join("\n\n");
}

function topics({ byTopic }: ContractResult): string {
  return plainTable({
    head: ["Topic", "Laws", "Cases held", "Failed", "Left out"],
    widths: [20, 8, 12, 10, 10],
    align: ["left", "right", "right", "right", "right"],
    rows: byTopic.map((row) =>
      [row.topic, row.laws, row.passed, row.failed || "-", row.skipped || "-"].map(String),
    ),
  });
}

function leftOut({ skipped }: ContractResult): string[] {
  const texts = skipped.map(({ ids, title, reason }) => `- ${ids.join(" ")} ${title}. ${reason}`);
  return texts.length === 0
    ? []
    : [["Left out of this profile:", ...texts.map((text) => wrapped(text, "  "))].join("\n")];
}

function failed(failures: ContractFailure[]): string[] {
  const inFull = firstOfEachLaw(failures).slice(0, mostInFull);
  const others = failures.filter((failure) => !inFull.includes(failure));
  const titles = others.slice(0, mostTitles).map((failure) => wrapped(`- ${heading(failure)}`, "  "));
  const more = others.length - titles.length;
  return [
    ...inFull.map(
      (failure) => `${styleText("red", wrapped(heading(failure)))}\n${indented(failure.message)}`,
    ),
    ...(titles.length === 0
      ? []
      : [["Failed as well:", ...titles, ...(more > 0 ? [`- and ${more} more`] : [])].join("\n")]),
  ];
}

/** One failure of each law first, so that the many cases of one do not hide the others. */
function firstOfEachLaw(failures: ContractFailure[]): ContractFailure[] {
  const seen = new Map<string, ContractFailure>();
  for (const failure of failures) {
    const law = `${failure.ids.join(" ")} ${failure.title.split(": ")[0]}`;
    if (!seen.has(law)) seen.set(law, failure);
  }
  return [...seen.values()];
}

const prefixes = { broken: "", unreachable: "(no answer) ", suite: "(the suite itself) " };
const heading = ({ ids, title, kind }: ContractFailure): string =>
  `${prefixes[kind]}${[...ids, title].join(" ")}`;

function summary({ laws, passed, failed: broken, failures, durationMilliseconds }: ContractResult): string {
  const seconds = (durationMilliseconds / 1000).toFixed(1);
  const silent = failures.filter(({ kind }) => kind === "unreachable").length;
  const outcome =
    broken === 0
      ? styleText("green", `${passed} cases hold`)
      : styleText("red", `${broken} of ${passed + broken} cases failed`);
  return `${laws} ${laws === 1 ? "law" : "laws"}, ${outcome}${silent > 0 ? `, ${silent} of them without an answer` : ""} (${seconds} s)`;
}

const indented = (text: string): string =>
  text
    .split("\n")
    .map((line) => (line === "" ? "" : wrapped(`  ${line}`, `${/^ */.exec(line)?.[0]}    `)))
    .join("\n");
