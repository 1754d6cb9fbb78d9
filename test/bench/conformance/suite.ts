import type { CaseOutcome } from "../../../contract/engine/outcome.ts";
import { defaultDeadlines } from "../../../contract/engine/settings.ts";
import { runContract } from "../../../scripts/contract/contract.ts";
import { settingsOfSandbox } from "../../../scripts/contract/targets.ts";

/** Runs the profile `full` until the time is over. @returns the checks that failed, by their requirements */
export async function runSuite(url: string, seconds: number): Promise<string[]> {
  const given = settingsOfSandbox(url);
  const settings = {
    ...given,
    // A sequence is not made shorter: that is for people who read the report.
    sequences: { shorten: false, failures: 1 },
    deadlines: defaultDeadlines,
    // Very large messages take a third of the time.
    without: [...given.without, "slow" as const],
  };
  const found = new Set<string>();
  const { promise: over, resolve: end } = Promise.withResolvers<void>();
  const timer = setTimeout(end, seconds * 1000);
  let isOver = false;
  const run = runContract({
    settings,
    onOutcome: (outcome) => {
      if (!isOver) for (const finding of findingsOf(outcome)) found.add(finding);
      return !isOver;
    },
  });
  // What is still in progress after the end meets a server that is closed.
  await Promise.race([run.catch(() => {}), over]);
  clearTimeout(timer);
  isOver = true;
  return [...found];
}

function findingsOf({ verdict, ids, check, responseChecks }: CaseOutcome): string[] {
  const failed = responseChecks.filter(({ failures }) => failures.length > 0);
  return [
    ...(verdict === "fail" ? [`${ids.join(" ")} ${check}`] : []),
    ...failed.map((one) => `${one.ids.join(" ")} ${one.title}`),
  ];
}
