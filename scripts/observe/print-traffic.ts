import { styleText } from "node:util";
import type { ContractResult } from "../../contract/report/result.ts";
import { count } from "../../lib/count.ts";
import { wrapped } from "../../lib/wrap-text.ts";

const noConfiguredKey =
  "The traffic has none of the configuration's keys: nothing is known of their accounts and abilities. Keys come from the environment.";

/** Prints what the traffic was, and what limits the verdicts. */
export function printTraffic({ traffic }: ContractResult): void {
  if (traffic === undefined) return;
  const { exchanges, ignored, unanswered, incomplete, concurrent, late, keys, configuredKeys } = traffic;
  const { undocumented = 0 } = traffic;
  const parts = [
    `${count(exchanges, "exchange")} with ${count(keys, "key")}`,
    ...(ignored > 0 ? [`${ignored} ignored: other hosts or paths, or preflights`] : []),
    ...(undocumented > 0
      ? [`${count(undocumented, "request")} to paths below /api/v1 that the document does not have`]
      : []),
    ...(unanswered > 0 ? [`${unanswered} without a response of the server`] : []),
    ...(incomplete > 0 ? [`${incomplete} incomplete`] : []),
    ...(concurrent > 0 ? [`${concurrent} at the same time as others about the same`] : []),
  ];
  console.log(wrapped(`${parts.join("; ")}.`));
  if (keys === 0) console.log(wrapped("The traffic has no API keys: only single exchanges have verdicts."));
  if (keys > 0 && configuredKeys === 0) console.log(styleText("yellow", wrapped(noConfiguredKey)));
  if (late > 0)
    console.log(
      wrapped(`${count(late, "exchange")} too far out of order: only single exchanges have verdicts.`),
    );
}
