import { sequenceChecks } from "../../contract/checks/sequences.ts";
import type { CaseOutcome } from "../../contract/engine/outcome.ts";
import { Run } from "../../contract/engine/run.ts";
import { type Profile, rolesOfMainAccount } from "../../contract/engine/settings.ts";
import { operationAt } from "../../contract/exchange.ts";
import { type PlannedCase, planOf, runPlan } from "../../contract/plan.ts";
import type recorded from "../../contract/recorded.json";
import { type OperationId, operations } from "../../generated/operations.ts";
import { startTarget } from "../../scripts/contract/targets.ts";
import { demoSettings } from "../mutants/demo.ts";
import { createRun, openSandbox, runOnSandbox } from "../mutants/harness.ts";
import type { Interceptor } from "../mutants/mutant.ts";
import { falsePositives } from "../mutants/variants/false-positives.ts";
import { observed, suiteTraffic, withAll } from "../observe/samples.ts";
import { cases } from "./model/kills.ts";
import { casesIn, nameOf, requestedIn } from "./requested.ts";

/** What a complete run of a profile does, on a server with every fixture and hook. */
interface RunTotal {
  requests: number;
  /** The requests that count for the rate limit of the account of the key `full`, without those of random sequences, which end after a time. */
  limitedRequests: number;
  /** Emails accepted and not canceled. */
  emails: number;
  recipients: number;
  /** The ids of the requirements that response checks alone verify, separated by spaces. */
  responseChecks: string;
}

const isOfSequences = (outcome: CaseOutcome): boolean =>
  sequenceChecks.some(({ title }) => title === outcome.check);

/**
 * The operations that test cases need, by requirement: a test case has its own operation, if it has one, and with a plus sign each other one.
 * Of the same operation, those that need the fewest.
 */
export async function neededOperations(profile: "core" | "full"): Promise<Record<string, string>> {
  const { outcomes } = await runOf(profile);
  // Test cases do without some of the operations that they send requests to: they do not look at the responses.
  const able = await casesWithoutEach();
  const byId = new Map<string, Set<string>>();
  for (const one of outcomes.filter((other) => !isOfSequences(other))) {
    const { ids, operation: own = "" } = one;
    const others = [...requestedIn(one)]
      .filter((operation) => operation !== own && able.get(operation)?.has(nameOf(one)) !== true)
      .sort();
    const text = [own, ...others].join("+");
    for (const id of ids) byId.set(id, new Set(byId.get(id)).add(text));
  }
  const rows = [...byId].map(([id, texts]) => [id, fewest([...texts]).join(", ")]);
  return Object.fromEntries(
    rows.sort(([one = ""], [other = ""]) => one.localeCompare(other, "en", { numeric: true })),
  );
}

let withoutEach: Promise<Map<string, Set<string>>> | undefined;

/** The test cases that a run can do although an operation is missing to which they send requests, by operation: those of `core` are in `full`. None of them may fail. */
const casesWithoutEach = (): Promise<Map<string, Set<string>>> => {
  withoutEach ??= measureWithoutEach();
  return withoutEach;
};

async function measureWithoutEach(): Promise<Map<string, Set<string>>> {
  const { outcomes } = await runOf("full");
  const able = new Map<string, Set<string>>();
  for (const operation of Object.keys(operations) as OperationId[]) {
    const senders = outcomes.filter((outcome) => requestedIn(outcome).has(operation));
    able.set(operation, await casesWithout(operation, new Set(senders.map(nameOf))));
  }
  return able;
}

async function casesWithout(operation: OperationId, senders: ReadonlySet<string>): Promise<Set<string>> {
  const settings = { ...demoSettings("full"), notImplemented: [operation] };
  const plan = casesIn(planOf(settings), (name, planned) => !isSequence(planned) && senders.has(name));
  const outcomes = await runOnSandbox({ plans: [plan], settings });
  const failed = falsePositives(outcomes);
  if (failed.length > 0) throw new Error(`without ${operation}: ${failed.join(", ")}`);
  return new Set(outcomes.filter(({ isOutside }) => isOutside !== true).map(nameOf));
}

const isSequence = ({ check }: PlannedCase): boolean => sequenceChecks.includes(check);

const fewest = (texts: readonly string[]): string[] => {
  const cases = texts.map((text) => text.split("+"));
  const isSmaller = (one: string[], other: string[]): boolean =>
    one !== other && one[0] === other[0] && one.every((operation) => other.includes(operation));
  return cases
    .filter((one) => !cases.some((other) => isSmaller(other, one)))
    .map((one) => one.join("+"))
    .sort();
};

type Counts = Omit<RunTotal, "responseChecks">;

/** Counts the requests of a run, and what it sends. */
function counter(keys: readonly string[]): { counts: Counts; intercept: Interceptor } {
  const counts: Counts = { requests: 0, limitedRequests: 0, emails: 0, recipients: 0 };
  const intercept: Interceptor = async (request, next) => {
    counts.requests += 1;
    if (keys.includes(request.headers.authorization ?? "")) counts.limitedRequests += 1;
    const response = await next(request);
    const isNew = response.status < 300 && response.headers["idempotent-replayed"] !== "true";
    const operation = isNew ? operationAt(request.method, request.path) : undefined;
    if (operation === "cancelEmail") {
      counts.emails -= 1;
      counts.recipients -= 1;
    }
    const body = request.body as Record<string, unknown>;
    const emails = operation === "sendBatch" ? (body.emails as Record<string, unknown>[]) : [body];
    if (operation !== "sendBatch" && operation !== "sendEmail") return response;
    counts.emails += emails.length;
    for (const { to, cc, bcc } of emails) counts.recipients += [to, cc, bcc].flat().filter(Boolean).length;
    return response;
  };
  return { counts, intercept };
}

interface MeasuredRun {
  counts: Counts;
  outcomes: CaseOutcome[];
}

export async function totalsOf(profile: Profile): Promise<RunTotal> {
  const { counts, outcomes } = await runOf(profile);
  return { ...counts, responseChecks: onlyResponses(outcomes) };
}

const runs = new Map<Profile, Promise<MeasuredRun>>();

/** One run of each profile has everything that is measured. */
function runOf(profile: Profile): Promise<MeasuredRun> {
  const run = runs.get(profile) ?? measure(profile);
  runs.set(profile, run);
  return run;
}

async function measure(profile: Profile): Promise<MeasuredRun> {
  if (profile === "mock") {
    const { settings, close } = await startTarget("mock");
    const outcomes = await runPlan(new Run({ settings }), planOf(settings));
    await close();
    const requests = outcomes.reduce((sum, outcome) => sum + outcome.requests, 0);
    const counts = { requests, limitedRequests: requests, emails: 0, recipients: 0 };
    return { counts, outcomes };
  }
  const settings = demoSettings(profile);
  const roles = rolesOfMainAccount.filter((role) => role !== "revoked");
  const { counts, intercept } = counter(roles.map((role) => `Bearer ${settings.keys[role]}`));
  const { sandbox, time } = await openSandbox();
  const run = createRun(sandbox, time, { settings, intercept: () => intercept });
  const plan = planOf(settings);
  const outcomes = await runPlan(
    run,
    plan.filter((planned) => !isSequence(planned)),
  );
  const { limitedRequests } = counts;
  outcomes.push(...(await runPlan(run, plan.filter(isSequence))));
  await sandbox.close();
  return { counts: { ...counts, limitedRequests }, outcomes };
}

/** The requirements that response checks verified, and no check. */
function onlyResponses(outcomes: readonly CaseOutcome[]): string {
  const named = new Set(outcomes.flatMap(({ ids }) => ids));
  const ids = new Set(outcomes.flatMap(({ responseChecks: wire }) => wire.flatMap((tally) => tally.ids)));
  return [...ids]
    .filter((id) => !named.has(id))
    .sort()
    .join(" ");
}

type Kind = keyof typeof recorded.sequences;

/** The requirements that the sequences of the profile `model` verify, as ids separated by spaces. */
export async function verifiedBySequences(): Promise<Record<Kind, string>> {
  const { outcomes } = await runOf("model");
  const mismatches = falsePositives(outcomes);
  if (mismatches.length > 0)
    throw new Error(`the sandbox does not match the model: ${mismatches.join(", ")}`);
  const verified = cases.map(({ kind }, index) => [kind, outcomes[index]?.ids.toSorted().join(" ")]);
  return Object.fromEntries(verified) as Record<Kind, string>;
}

/** The requirements that the traffic of the suite shows, as ids separated by spaces. */
export async function shownByTraffic(): Promise<string> {
  const { passes } = observed(await suiteTraffic(), withAll).tally;
  return [...passes.keys()].sort((one, other) => one.localeCompare(other, "en", { numeric: true })).join(" ");
}
