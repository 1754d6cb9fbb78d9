import { styleText } from "node:util";
import { plainTable } from "../../../lib/table.ts";
import { wrapped } from "../../../lib/wrap-text.ts";
import type { RecordedExchange } from "../engine/outcome.ts";
import { causeLine, type Findings, findingsIn } from "./causes.ts";
import { curlOf } from "./curl.ts";
import {
  type Broken,
  type BrokenLaw,
  brief,
  byLaw,
  counted,
  duration,
  errorsIn,
  exitMeaning,
  type Group,
  missingIn,
  textsOf,
  verdictLine,
  visible,
} from "./reading.ts";
import type { ContractResult } from "./result.ts";

const mostInFull = 5;
const mostTitles = 40;
const mostInformation = 12;
/** What a terminal shows of a body, in characters. */
const longestBody = 320;
/** A command is shown up to so many characters: a longer one stands in the other reports. */
const longestCommand = 1600;

/** The result for a terminal of 80 columns: the counts by topic, what is broken and what is not verified, and what it means. */
export function consoleText(result: ContractResult): string {
  const findings = findingsIn(result);
  return [
    ...causes(findings),
    topics(result),
    ...failures(result, findings),
    ...list("Failed as expected", brokenIds(result, "expected failure"), "yellow"),
    ...list("Expected to fail, and held: take them out of the expected failures", result.stale, "red"),
    ...groups("Not verified", missingIn(result), "yellow"),
    ...groups("Errors, so that nothing can be said", errorsIn(result), "red"),
    ...information(result),
    summary(result),
  ].join("\n\n");
}

function topics({ byTopic, counts }: ContractResult): string {
  const columns = [
    { title: "Held", of: "pass" },
    { title: "Failed", of: "fail" },
    ...(counts.expectedFailure > 0 ? [{ title: "Expected", of: "expectedFailure" } as const] : []),
    { title: "Not verified", of: "notVerified" },
    { title: "Error", of: "error" },
  ] as const;
  return plainTable({
    head: ["Topic", ...columns.map(({ title }) => title)],
    widths: [20, ...columns.map(({ title }) => Math.max(8, title.length + 2))],
    align: ["left", ...columns.map(() => "right" as const)],
    rows: byTopic.map((row) => [row.topic, ...columns.map(({ of }) => String(row[of] || "-"))]),
  });
}

/** What many promises fall with comes first, and in a few lines. */
const causes = ({ diagnosis, causes: found }: Findings): string[] => [
  ...(diagnosis === undefined ? [] : [styleText("red", wrapped(visible(diagnosis)))]),
  ...found.map((cause) =>
    [styleText("red", wrapped(`${causeLine(cause)}:`)), wrapped(`  ${cause.ids.join(", ")}`, "  ")].join(
      "\n",
    ),
  ),
];

/** What fell with none of the causes. */
function failures(result: ContractResult, { others: broken }: Findings): string[] {
  const laws = byLaw(broken);
  const titles = laws
    .slice(mostInFull, mostInFull + mostTitles)
    .map((law) => wrapped(`- ${heading(law[0])}${others(law)}`, "  "));
  const more = laws.length - mostInFull - titles.length;
  return [
    ...laws.slice(0, mostInFull).map((law) => failure(result, law)),
    ...(titles.length === 0
      ? []
      : [["Failed as well:", ...titles, ...(more > 0 ? [`- and ${more} more`] : [])].join("\n")]),
  ];
}

/** One failure in full: what was promised, expected and found, the exchange in short, and a command that repeats it. */
function failure(result: ContractResult, law: BrokenLaw): string {
  const [one] = law;
  const texts = textsOf(result);
  return [
    styleText("red", wrapped(heading(one), "  ")),
    ...one.ids.map((id) => labelled(id, texts.get(id) ?? "")),
    labelled("expected", one.expected),
    labelled("found", one.found),
    ...(one.exchange === undefined ? [] : shown(one.exchange, result)),
    ...(law.length === 1 ? [] : [wrapped(`  It fails in ${counted(one.times - 1, "more case")}.`, "  ")]),
  ].join("\n");
}

/** An exchange in short, and the lines that repeat it: they are not broken, so that they can be copied. */
function shown(exchange: RecordedExchange, result: ContractResult): string[] {
  const { method, path, sent, received } = exchange;
  const command = curlOf(exchange, result);
  const fits = command.length <= longestCommand;
  return [
    labelled("sent", `${method} ${path} ${fits ? "" : brief(sent.body ?? "", longestBody)}`),
    labelled("answered", `${received.status} ${brief(received.body, longestBody)}`),
    ...(fits
      ? command.split("\n").map((line) => `  ${styleText("dim", line)}`)
      : ["  The command that repeats it is long: it stands in the report in HTML."]),
  ];
}

/** In how many more cases a law failed. */
const others = ([{ times }]: BrokenLaw): string =>
  times === 1 ? "" : ` (and ${counted(times - 1, "more case")})`;

const heading = ({ ids, law, title }: Pick<Broken, "ids" | "law" | "title">): string =>
  visible(`${ids.join(" ")} ${law}${title === "" ? "" : `: ${title}`}`);

const labelled = (label: string, text: string): string =>
  wrapped(`  ${label.padEnd(9)} ${brief(text, 2 * longestBody)}`.trimEnd(), " ".repeat(12));

type Colour = "red" | "yellow";

function groups(title: string, given: readonly Group[], colour: Colour): string[] {
  if (given.length === 0) return [];
  const shown = given
    .slice(0, mostTitles)
    .map(({ what, ids }) => wrapped(`- ${what}: ${ids.join(", ")}`, "  "));
  const more = given.length - shown.length;
  return [
    [styleText(colour, `${title}:`), ...shown.map(visible), ...(more > 0 ? [`- and ${more} more`] : [])].join(
      "\n",
    ),
  ];
}

const list = (title: string, ids: readonly string[], colour: Colour): string[] =>
  ids.length === 0
    ? []
    : [`${styleText(colour, wrapped(`${title}:`))}\n${wrapped(`  ${ids.join(", ")}`, "  ")}`];

const brokenIds = ({ requirements }: ContractResult, verdict: string): string[] =>
  requirements.filter((one) => one.verdict === verdict).map(({ id }) => id);

function information({ information: found }: ContractResult): string[] {
  if (found.length === 0) return [];
  const shown = found.slice(0, mostInformation).map((text) => wrapped(`- ${brief(text, 300)}`, "  "));
  const more = found.length - shown.length;
  return [
    ["Beyond the document, which is allowed:", ...shown, ...(more > 0 ? [`- and ${more} more`] : [])].join(
      "\n",
    ),
  ];
}

function summary(result: ContractResult): string {
  const { baseUrl, counts, profile, requests, durationMilliseconds, waitedMilliseconds, notTried, exitCode } =
    result;
  const colour = counts.fail > 0 ? "red" : exitCode === 0 ? "green" : "yellow";
  const waited =
    waitedMilliseconds > 0 ? `, ${duration(waitedMilliseconds)} of them waiting for the request limit` : "";
  const run = `${baseUrl}, profile ${profile}, ${counted(requests, "request")}, ${duration(durationMilliseconds)}${waited}.`;
  const untried =
    notTried.length === 0 ? "" : ` ${counted(notTried.length, "promise")} not tried (the reports say why).`;
  return [
    styleText(colour, wrapped(`${verdictLine(result)}.`)),
    wrapped(run + untried),
    wrapped(`Exit status ${exitCode}: ${exitMeaning(result)}.`),
  ].join("\n");
}
