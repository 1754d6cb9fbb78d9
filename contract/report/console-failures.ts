import { styleText } from "node:util";
import { count } from "../../lib/count.ts";
import { wrapped } from "../../lib/wrap-text.ts";
import type { RecordedExchange } from "../engine/outcome.ts";
import { atMost, brief, visible } from "../text.ts";
import type { Diagnosis } from "./causes.ts";
import { curlOf } from "./curl.ts";
import { errorLink } from "./error-link.ts";
import { notesOf, statusText } from "./notes.ts";
import { byCheck, type FailedCheck, textsOf } from "./read-result.ts";
import type { ContractResult } from "./result.ts";

const maxInFull = 5;
const maxTitles = 40;
/** Characters of a body. */
const maxBody = 320;
/** A longer command is in the HTML report only. */
const maxCommand = 1600;

/** What explains many failures at once. */
export const causes = ({ wholeServer, causes: found }: Diagnosis): string[] => [
  ...(wholeServer === undefined ? [] : [styleText("red", wrapped(visible(wholeServer)))]),
  ...found.map(({ what, ids }) =>
    [styleText("red", wrapped(`${what}:`)), wrapped(`  ${ids.join(", ")}`, "  ")].join("\n"),
  ),
];

/** The other failures: the first in full, then titles. */
export function failures(result: ContractResult, { others }: Diagnosis): string[] {
  const checks = byCheck(others);
  const titles = checks
    .slice(maxInFull)
    .map((check) => wrapped(`- ${heading(check)}${moreCases(check, " (and ", ")")}`, "  "));
  return [
    ...checks.slice(0, maxInFull).map((check) => failure(result, check)),
    ...(titles.length === 0 ? [] : [[otherFailures(result), ...atMost(titles, maxTitles)].join("\n")]),
  ];
}

const otherFailures = ({ traffic }: ContractResult): string =>
  `Other failures, in full with --html report.html${traffic === undefined ? " or --grep and an id" : ""}:`;

function failure(result: ContractResult, check: FailedCheck): string {
  const [{ ids, expected, found, exchanges, repeat }] = check;
  const texts = textsOf(result);
  const more = moreCases(check, "  It fails in ", ".");
  return [
    styleText("red", wrapped(heading(check), "  ")),
    ...ids.map((id) => labelled(id, texts.get(id) ?? "")),
    labelled("expected", expected),
    labelled("found", found),
    // Not wrapped, so that it can be copied.
    ...(repeat === undefined ? [] : [labelled("repeat", "with the options for the server:"), `  ${repeat}`]),
    ...exchanges.flatMap((exchange) => exchangeLines(exchange, result)),
    ...(more === "" ? [] : [wrapped(more, "  ")]),
  ].join("\n");
}

/** The lines of the command are not wrapped, so that it can be copied. */
function exchangeLines(exchange: RecordedExchange, result: ContractResult): string[] {
  const { method, path, request, response } = exchange;
  const command = curlOf(exchange, result);
  const fits = command.length <= maxCommand;
  const docs = errorLink(exchange, result);
  const hasBody = command === "" || !fits;
  return [
    ...notesOf(exchange, result).map(({ label, text }) => labelled(label, text)),
    labelled("request", `${method} ${path} ${hasBody ? brief(request.body ?? "", maxBody) : ""}`),
    labelled("response", `${statusText(exchange)} ${brief(response.body, maxBody)}`),
    // Not wrapped, so that a terminal makes it a link.
    ...(docs === undefined ? [] : [`  docs      ${docs}`]),
    ...(command === ""
      ? []
      : fits
        ? command.split("\n").map((line) => `  ${styleText("dim", line)}`)
        : ["  The curl command is long: see the HTML report."]),
  ];
}

const moreCases = ([{ times }]: FailedCheck, before: string, after: string): string =>
  times === 1 ? "" : `${before}${count(times - 1, "more case")}${after}`;

const heading = ([{ ids, check, title }]: FailedCheck): string =>
  visible(`${ids.join(" ")} ${check}${title === "" ? "" : `: ${title}`}`);

const labelled = (label: string, text: string): string =>
  wrapped(`  ${label.padEnd(9)} ${brief(text, 2 * maxBody)}`.trimEnd(), " ".repeat(12));
