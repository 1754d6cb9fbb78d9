import { styleText } from "node:util";
import { count, visible, wrapped } from "../../lib/text.ts";
import type { RecordedExchange } from "../engine/outcome.ts";
import { isReplay } from "../exchange.ts";
import { atMost, brief } from "../text.ts";
import type { Finding } from "./causes.ts";
import { bodyText, curlOf, errorLink, errorTypeIn, notesOf, statusText, stepLines } from "./exchange-text.ts";
import { type ContractResult, type FailedCase, headingOf, stepsAbout, textsOf } from "./result.ts";

/** Characters of a body. */
const maxBody = 320;
/** Characters of a request before the failing one, so that it has a line. */
const maxStep = 58;
const maxSteps = 8;
/** Other requirements of a finding. */
export const maxAlso = 24;
/** Characters of what was expected or found, below a title. */
const maxShort = 100;
/** A longer command is in the HTML report only. */
const maxCommand = 1600;

/** A finding in two lines: its first failure, and what is wrong. */
export function findingInShort({ cause, first, ids }: Finding): string {
  const { expected, found, times } = first;
  const others = ids.length - first.ids.length;
  const also = others === 0 ? "" : `; ${count(others, "more requirement fails", "more requirements fail")}`;
  const more = times === 1 ? "" : ` (and ${count(times - 1, "more case")})`;
  const text = cause ?? `expected ${brief(expected, maxShort)}; found ${brief(found, maxShort)}`;
  return [
    wrapped(`- ${visible(headingOf(first))}${more}`, "  "),
    wrapped(`    ${brief(text, 2 * maxShort)}${also}`, "    "),
  ].join("\n");
}

/** A finding in full, for 80 columns: its first failure with the requests that show it. */
export function findingText(result: ContractResult, { cause, first, cases, ids: all }: Finding): string {
  const { ids, expected, found, times, steps, exchanges, repeat } = first;
  const texts = textsOf(result);
  const every = stepLines(steps, maxStep);
  const lines = every.length > maxSteps ? stepLines(stepsAbout(first), maxStep).slice(-maxSteps) : every;
  const earlier = every.length - lines.length;
  const nameOf = (one: FailedCase): string => `${one.ids.join(" ")} ${one.check}`;
  const others = cases.filter((one) => nameOf(one) !== nameOf(first));
  const checks = new Set(others.map(nameOf));
  const fresh = all.filter((id) => !ids.includes(id));
  const shown = fresh.length > 0 ? fresh : [...new Set(others.flatMap((one) => one.ids))];
  const last = cases.map(({ exchanges }) => exchanges.at(-1)?.response);
  const replays = last.every((one) => one && isReplay(one)) ? "; all those in this report are replays" : "";
  const also = `${count(checks.size, "more check")} of ${atMost(shown, maxAlso, "").join(", ")}`;
  return [
    styleText("red", wrapped(visible(headingOf(first)), "  ")),
    cause && labelled("cause", cause),
    ...ids.map((id) => labelled(id, texts.get(id) ?? "")),
    labelled("expected", expected),
    labelled("found", found),
    // Not wrapped, so that it can be copied.
    repeat && `${labelled("repeat", "with the options for the server:")}\n  ${repeat}`,
    earlier > 0 && labelled("before", `${count(earlier, "other request")}, and:`),
    ...lines.map((line) => labelled("before", line)),
    ...exchanges.flatMap((exchange) => exchangeLines(exchange, result, first)),
    times > 1 && wrapped(`  It fails in ${count(times - 1, "more case")}${replays}.`, "  "),
    checks.size > 0 && wrapped(`  Also fails: ${also}.`, "    "),
  ]
    .filter(Boolean)
    .join("\n");
}

/** Words of failures that are about times. */
const ofTimes = /_at\b|\b(times?|deadlines)\b|\d{4}-\d\d-\d\dT/;

/** The server's time if it is far from that of the suite. */
function clockOf({ startedAt, response }: RecordedExchange): string | undefined {
  const { date } = response.headers;
  const isOff = Math.abs(Date.parse(date ?? "") - startedAt) > 60_000;
  return isOff
    ? labelled("clock", `the server's Date is ${date}, the suite's ${new Date(startedAt).toUTCString()}`)
    : undefined;
}

/** Words of failures that are about headers. */
const ofHeaders = /\bheaders?\b|\b(x-[a-z]|allow:|retry-after|content-type|idempotent-replayed)/i;

/** The lines of the command are not wrapped, so that it can be copied. */
function exchangeLines(exchange: RecordedExchange, result: ContractResult, failed: FailedCase) {
  const { method, path, request, response } = exchange;
  const command = curlOf(exchange, result);
  const fits = command.length <= maxCommand;
  const docs = errorLink(exchange, result);
  const about = `${failed.expected} ${failed.found}`;
  const body = command === "" || !fits ? bodyText(request.body ?? "", maxBody, about) : "";
  const headers = Object.entries(response.headers).map((pair) => pair.join(": "));
  const type = errorTypeIn(response.body);
  const isAddition = type && result.information.some((text) => text.startsWith(`error type ${type} (`));
  return [
    ...notesOf(exchange, result).map(({ label, text }) =>
      labelled(label, bodyText(text, 2 * maxBody, about)),
    ),
    labelled("request", `${method} ${path} ${body}`),
    ofTimes.test(about) && result.traffic === undefined && clockOf(exchange),
    ofHeaders.test(about) && labelled("headers", headers.join("; ")),
    labelled("response", `${statusText(exchange)} ${bodyText(response.body, maxBody, about)}`),
    // It may stand for the error type that was expected.
    isAddition && labelled("addition", `error type ${type}, which is not in the document`),
    // Not wrapped, so that a terminal makes it a link.
    docs && `  docs      ${docs}`,
    !fits && "  The curl command is long: see the HTML report.",
    fits &&
      command.endsWith("@body.json") &&
      "  body.json is the request body in the JSON report, which cuts long ones.",
    ...(fits && command ? command.split("\n").map((line) => `  ${styleText("dim", line)}`) : []),
  ];
}

const labelled = (label: string, text: string): string =>
  wrapped(`  ${label.padEnd(9)} ${brief(text, 2 * maxBody)}`.trimEnd(), " ".repeat(12));
