import type { ReportUnanswered } from "../../generated/schema-types.ts";
import { count } from "../../lib/text.ts";
import type { ExpectedFailure } from "../config/load.ts";
import { type CaseOutcome, recordExchange } from "../engine/outcome.ts";
import { requestName } from "../exchange.ts";
import { isOutside } from "../plan.ts";
import recorded from "../recorded.json" with { type: "json" };
import { maskedExchange, maskedTexts } from "../report/mask.ts";
import type { ContractResult } from "../report/result.ts";
import { type RunInformation, rows, summarize } from "../report/summarize.ts";
import { observable } from "../response-checks/encoded.ts";
import type { Observer } from "./observer.ts";
import type { ObservedFailure, Tally } from "./tally.ts";

interface ObserveResultOptions extends RunInformation {
  /** Whether reports show bodies, email addresses and ids. Credentials are never shown. */
  showsBodies: boolean;
  /** What is known to fail. */
  expected: readonly ExpectedFailure[];
}

/** The verdict of each requirement that the traffic shows, as a result that all reports are made from. */
export function observeResult(
  { tally, credentials, attempts }: Observer,
  { showsBodies, expected, ...information }: ObserveResultOptions,
): ContractResult {
  // A later exchange may show that what an earlier one has is a credential.
  const { redact } = credentials;
  const unanswered = attempts.unanswered();
  const outcomes = [
    passes(tally, showsBodies ? redact : undefined),
    ...[...tally.failures.values()].map((one) => failureOf(one, redact, showsBodies)),
    ...unanswered.filter((one) => one.unanswered === one.tries).map(errorOf),
  ];
  const all = { ...information, ...(unanswered.length > 0 && { unanswered }) };
  return summarize({ information: all, outcomes, expected, redact, planned: new Set(decidableRequirements) });
}

const empty = { tags: [], exchanges: [], responseChecks: [], information: [], requests: 0, milliseconds: 0 };

/** What every response was compared with, and passed. @param redact undefined if reports show no bodies */
const passes = (
  { passes, information }: Tally,
  redact: ((text: string) => string) | undefined,
): CaseOutcome => ({
  ...empty,
  ids: [],
  check: "the traffic",
  title: "",
  verdict: "pass",
  responseChecks: [...passes].map(([id, responses]) => ({
    ids: [id],
    title: "in the traffic",
    responses,
    failures: [],
  })),
  information: redact ? [...information].map(redact) : countedAdditions(information),
});

function failureOf(
  { ids, title, times, ...first }: ObservedFailure,
  redact: (text: string) => string,
  showsBodies: boolean,
): CaseOutcome {
  // Unless reports show bodies, they have no email addresses and ids either.
  const exchanges = first.exchanges.map((one) => {
    const recorded = recordExchange(one, redact);
    return showsBodies ? recorded : maskedExchange(recorded, one.request, "; --show-bodies shows them");
  });
  const texts = [first.expected, first.found, first.cause ?? ""];
  const [expected = "", found = "", cause] = showsBodies ? texts.map(redact) : maskedTexts(texts);
  return {
    ...empty,
    ids: [...ids],
    check: title,
    title: times === 1 ? "" : `${times} times in the traffic`,
    verdict: "fail",
    failure: { expected, found, ...(cause && { cause }), exchange: exchanges.length - 1 },
    exchanges,
  };
}

/** An operation that never responded: nothing is known of the requirements that are about it alone. */
function errorOf({ request, tries, reason }: ReportUnanswered): CaseOutcome {
  const [method = "", path = ""] = request.split(" ");
  const { operation } = requestName({ method, path });
  const own = rows.filter(
    ({ id, operations }) => observable.has(id) && isOutside(operations, [operation ?? ""]),
  );
  return {
    ...empty,
    ids: own.map(({ id }) => id),
    check: "the operation responds",
    title: "",
    ...(operation && { operation }),
    verdict: "error",
    reason: `${request} never responded (${count(tries, "request")}: ${reason})`,
  };
}

/** The requirements that traffic can show: those that the traffic of the suite shows. */
export const decidableRequirements: readonly string[] = recorded.traffic.split(" ");

/** What responses have in addition to the document, counted: the names come from responses. */
const countedAdditions = (additions: ReadonlySet<string>): string[] =>
  ["field", "header", "error type"].flatMap((kind) => {
    const times = [...additions].filter((text) => text.startsWith(`${kind} `)).length;
    return times === 0 ? [] : [`${count(times, kind)} of responses (--show-bodies names them)`];
  });
