import type { CaseOutcome } from "../../../contract/engine/outcome.ts";
import type { ObservedExchange } from "../../../contract/observe/subjects.ts";
import { type Plan, type PlannedCase, planOf } from "../../../contract/plan.ts";
import { demoSettings } from "../demo.ts";
import { runOnSandbox } from "../harness.ts";
import type { Interceptor, SandboxContext } from "../mutant.ts";
import type { Variant } from "./variant.ts";

/** Very large messages take most of the time and are the same on all variants. */
const isLarge = ({ check }: PlannedCase): boolean => check.ids.includes("ATT-13");

/** A profile without the largest messages. */
export const planFor = (profile: "core" | "full" | "model"): Plan =>
  planOf(demoSettings(profile)).filter((planned) => !isLarge(planned));

/** What a run on a correct server found. */
interface VariantResult {
  /** The number of test cases. */
  cases: number;
  /** The number of requests and mails that the server treats in another way than the sandbox; none if the suite sends no such request. */
  differences: number;
  falsePositives: string[];
}

/** Runs a plan on a correct server. */
export async function falsePositivesOn(
  { intercept, deliver, sandbox }: Variant,
  plan: Plan,
  settings = demoSettings(),
  onExchange?: (exchange: ObservedExchange) => void,
): Promise<VariantResult> {
  let differences = 0;
  const observed = (context: SandboxContext): Interceptor =>
    differing(intercept?.(context) ?? ((request, next) => next(request)), () => {
      differences += 1;
    });
  const outcomes = await runOnSandbox({
    plans: [plan],
    settings,
    intercept: observed,
    ...(onExchange && { onExchange }),
    deliver: (mime, recipient) => {
      const changed = deliver === undefined ? mime : deliver(mime, recipient);
      if (changed !== mime) differences += 1;
      return changed;
    },
    ...(sandbox === undefined ? {} : { sandbox }),
  });
  const skipped = plan.length - outcomes.length;
  const notRun = skipped > 0 ? [`${skipped} planned test cases did not run`] : [];
  return { cases: outcomes.length, differences, falsePositives: [...notRun, ...falsePositives(outcomes)] };
}

/** The interceptor, which reports each request that it changed, or whose response it changed. */
const differing =
  (intercept: Interceptor, onDifference: () => void): Interceptor =>
  async (request, next) => {
    let last: unknown;
    let isChanged = false;
    const response = await intercept(request, async (sent) => {
      isChanged ||= isOther(sent, request);
      const received = await next(sent);
      last = received;
      return received;
    });
    if (isChanged || isOther(response, last)) onDifference();
    return response;
  };

const isOther = (one: unknown, other: unknown): boolean =>
  one !== other && JSON.stringify(one) !== JSON.stringify(other);

/** Everything except passes. */
export const falsePositives = (outcomes: CaseOutcome[]): string[] => [
  ...outcomes
    .filter(({ verdict }) => verdict !== "pass")
    .map(({ ids, check, title, verdict, reason, failure }) => {
      const why = failure === undefined ? reason : `expected ${failure.expected}, got ${failure.found}`;
      return `${verdict}: ${ids.join(" ")} ${check} (${title}): ${why}`;
    }),
  ...outcomes.flatMap(({ responseChecks }) =>
    responseChecks.flatMap(({ ids, title, failures }) =>
      failures.map(({ expected, found }) => `${ids.join(" ")} ${title}: expected ${expected}, got ${found}`),
    ),
  ),
];
