import type { CaseOutcome } from "../engine/outcome.ts";
import { redactor } from "../engine/secrets.ts";
import type { Settings } from "../engine/settings.ts";
import type { ContractResult } from "../report/result.ts";
import { type RunInformation, summarize } from "../report/summarize.ts";
import { countedAdditions, maskedTexts, recordedExchange } from "./mask.ts";
import type { ObservedFailure, Tally } from "./tally.ts";

interface ObserveResultOptions extends RunInformation {
  tally: Tally;
  /** Whether reports show bodies, email addresses and ids. Keys are never shown. */
  showsBodies: boolean;
  /** The API keys of the configuration. */
  keys?: Settings["keys"];
  /** The ids of requirements that are known to fail. */
  expected?: readonly string[];
}

/** The verdict of each requirement that the traffic shows, as a result that all reports are made from. */
export function observeResult({
  tally,
  showsBodies,
  keys = {},
  expected = [],
  ...information
}: ObserveResultOptions): ContractResult {
  const redact = redactor(Object.values(keys));
  const outcomes = [
    passes(tally, showsBodies, redact),
    ...[...tally.failures.values()].map((one) => failureOf(one, showsBodies, redact)),
  ];
  return summarize(information, outcomes, expected, new Set(decidableRequirements));
}

const empty = { tags: [], exchanges: [], information: [], requests: 0, milliseconds: 0 };

/** What every response was compared with, and passed. */
const passes = (
  { passes, information }: Tally,
  showsBodies: boolean,
  redact: (text: string) => string,
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
  information: showsBodies ? [...information].map(redact) : countedAdditions(information),
});

function failureOf(
  { ids, title, times, examples }: ObservedFailure,
  showsBodies: boolean,
  redact: (text: string) => string,
): CaseOutcome {
  const [first] = examples;
  const exchanges = (first?.exchanges ?? []).map((one) =>
    recordedExchange(one, showsBodies ? redact : undefined),
  );
  const texts = [first?.expected ?? "", first?.found ?? ""];
  const [expected = "", found = ""] = showsBodies ? texts.map(redact) : maskedTexts(texts);
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

/**
 * The requirements that traffic can show, as ids separated by spaces. Measured with the traffic of the suite; a test measures
 * it again and prints what to write here.
 */
export const decidableRequirements: readonly string[] =
  "ATT-1 ATT-2 ATT-3 ATT-4 ATT-5 ATT-7 ATT-11 AUTH-2 AUTH-4 AUTH-5 AUTH-8 AUTH-9 AUTH-10 AUTH-12 AUTH-14 AUTH-15 AUTH-16 AUTH-17 AUTH-18 AUTH-20 AUTH-21 BATCH-2 BATCH-3 BATCH-4 BATCH-5 BATCH-6 BATCH-7 BATCH-8 BATCH-9 BATCH-10 BATCH-11 BATCH-12 BATCH-13 BATCH-14 CONT-1 CONT-2 CONT-3 CONT-4 CONT-5 CONT-6 CONT-7 CONT-8 CONT-9 CONT-10 CONT-11 CONT-12 CONT-13 CONT-14 CONT-15 CONT-16 CONT-17 CONT-21 CONT-22 CONT-23 CONT-24 CONT-25 DELIV-1 DELIV-6 ERR-1 ERR-4 ERR-5 ERR-6 ERR-7 ERR-8 ERR-9 ERR-10 ERR-11 ERR-12 ERR-13 ERR-16 EVENT-1 EVENT-2 EVENT-3 GEN-4 GEN-6 GEN-7 HEAD-1 HEAD-2 HEAD-3 HEAD-4 HEAD-5 HEAD-6 HEAD-7 HEAD-8 HEAD-10 IDEM-1 IDEM-2 IDEM-4 IDEM-7 IDEM-8 LIMIT-2 LIMIT-3 LIMIT-4 LIMIT-5 LIMIT-6 LIMIT-7 LIST-1 LIST-2 LIST-3 LIST-4 LIST-5 LIST-6 LIST-7 LIST-8 LIST-9 LIST-10 LIST-11 LOOK-1 LOOK-2 LOOK-3 LOOK-4 LOOK-5 LOOK-6 LOOK-7 LOOK-8 LOOK-9 LOOK-10 LOOK-11 LOOK-12 LOOK-13 LOOK-14 LOOK-15 LOOK-16 LOOK-17 LOOK-18 LOOK-19 LOOK-20 LOOK-21 LOOK-22 LOOK-23 MEMB-1 MEMB-2 MEMB-3 MEMB-4 MEMB-5 MEMB-6 MEMB-7 MEMB-8 MEMB-9 MEMB-10 MEMB-11 MEMB-13 MEMB-16 MEMB-17 SCHED-1 SCHED-2 SCHED-3 SCHED-4 SCHED-5 SCHED-6 SCHED-7 SCHED-8 SCHED-9 SCHED-10 SCHED-11 SCHED-12 SCHED-13 SCHED-14 SCHED-15 SCHED-17 SCHED-18 SCHED-19 SCHED-20 SCHED-21 SEND-2 SEND-3 SEND-5 SEND-6 SEND-7 SEND-8 SEND-9 SEND-10 SEND-18 SEND-19 SEND-20 SEND-21 SEND-22 SEND-23 SEND-24 SEND-25 SEND-26 SEND-27 SEND-30 SEND-31 SEND-33 SEND-34 SEND-35 SEND-36 SEND-37 SIM-1 SIM-2 SIM-3 SIM-4 SIM-6 UNSUB-1 UNSUB-2 UNSUB-4 UNSUB-5 UNSUB-6 UNSUB-7 UNSUB-9 UNSUB-10 UNSUB-12".split(
    " ",
  );
