import type { ExpectedFailure } from "../config/load.ts";
import type { CaseOutcome } from "../engine/outcome.ts";
import { redactor } from "../engine/secrets.ts";
import type { Settings } from "../engine/settings.ts";
import recorded from "../recorded.json" with { type: "json" };
import type { ContractResult } from "../report/result.ts";
import { type RunInformation, summarize } from "../report/summarize.ts";
import { countedAdditions, maskedTexts, recordedExchange, redactedExchange } from "./mask.ts";
import type { ObservedFailure, Tally } from "./tally.ts";

interface ObserveResultOptions extends RunInformation {
  tally: Tally;
  /** Whether reports show bodies, email addresses and ids. Keys are never shown. */
  showsBodies: boolean;
  /** The API keys of the configuration. */
  keys?: Settings["keys"];
  /** Redacts every other credential of the traffic. */
  redact?: (text: string) => string;
  /** What is known to fail. */
  expected?: readonly ExpectedFailure[];
}

/** The verdict of each requirement that the traffic shows, as a result that all reports are made from. */
export function observeResult({
  tally,
  showsBodies,
  keys = {},
  redact: redactTraffic = (text) => text,
  expected = [],
  ...information
}: ObserveResultOptions): ContractResult {
  const withoutConfigured = redactor(Object.values(keys));
  // A later exchange may show that what an earlier one has is a credential.
  const clean = (text: string): string => redactTraffic(withoutConfigured(text));
  const redact = showsBodies ? clean : undefined;
  const failures = [...tally.failures.values()].map(({ exchanges, ...one }) =>
    failureOf({ ...one, exchanges: exchanges.map((exchange) => redactedExchange(exchange, clean)) }, redact),
  );
  return summarize(
    information,
    [passes(tally, redact), ...failures],
    expected,
    new Set(decidableRequirements),
  );
}

const empty = { tags: [], exchanges: [], information: [], requests: 0, milliseconds: 0 };

/** Removes keys; undefined if reports show no bodies at all. */
type Redact = ((text: string) => string) | undefined;

/** What every response was compared with, and passed. */
const passes = ({ passes, information }: Tally, redact: Redact): CaseOutcome => ({
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

function failureOf({ ids, title, times, ...first }: ObservedFailure, redact: Redact): CaseOutcome {
  const exchanges = first.exchanges.map((one) => recordedExchange(one, redact));
  const texts = [first.expected, first.found];
  const [expected = "", found = ""] = redact ? texts.map(redact) : maskedTexts(texts);
  return {
    ...empty,
    ids: [...ids],
    check: title,
    title: times === 1 ? "" : `${times} times in the traffic`,
    verdict: "fail",
    failure: { expected, found, exchange: exchanges.length - 1 },
    exchanges,
    responseChecks: [],
  };
}

/** The requirements that traffic can show: those that the traffic of the suite shows. */
export const decidableRequirements: readonly string[] = recorded.traffic.split(" ");
