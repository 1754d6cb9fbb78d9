import { expect, test } from "vitest";
import { sequenceChecks } from "../../contract/checks/sequences.ts";
import type { CaseOutcome } from "../../contract/engine/outcome.ts";
import { Run } from "../../contract/engine/run.ts";
import { type Profile, profiles, rolesOfMainAccount } from "../../contract/engine/settings.ts";
import { operationAt } from "../../contract/exchange.ts";
import { verifiedBySequences } from "../../contract/model/judge.ts";
import { type PlannedCase, planOf, runPlan } from "../../contract/plan.ts";
import { type RunTotal, runTotals } from "../../contract/run-totals.ts";
import { startTarget } from "../../scripts/contract/targets.ts";
import { demoSettings } from "../mutants/demo.ts";
import { createRun } from "../mutants/harness.ts";
import type { Interceptor } from "../mutants/mutant.ts";
import { standingSandbox } from "./standing-sandbox.ts";

type Counts = Omit<RunTotal, "responseChecks">;

/** Counts the requests of a run, and what it sends. */
function counter(keys: readonly string[]): { counts: Counts; intercept: Interceptor } {
  const counts: Counts = { requests: 0, limitedRequests: 0, limitedBySequences: 0, emails: 0, recipients: 0 };
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

async function measure(profile: Profile): Promise<RunTotal> {
  if (profile === "mock") {
    const { settings, close } = await startTarget("mock");
    const outcomes = await runPlan(new Run({ settings, hooks: {} }), planOf(settings));
    await close();
    const requests = outcomes.reduce((sum, outcome) => sum + outcome.requests, 0);
    const counts = { requests, limitedRequests: requests, limitedBySequences: 0, emails: 0, recipients: 0 };
    return { ...counts, responseChecks: onlyResponses(outcomes) };
  }
  const settings = demoSettings(profile);
  const roles = rolesOfMainAccount.filter((role) => role !== "revoked");
  const { counts, intercept } = counter(roles.map((role) => `Bearer ${settings.keys[role]}`));
  const { sandbox, time } = await standingSandbox();
  const run = createRun(sandbox, time, { settings, intercept: () => intercept });
  const { concurrent, sequential } = planOf(settings);
  const isSequence = ({ check }: PlannedCase): boolean => sequenceChecks.includes(check);
  const others = sequential.filter((planned) => !isSequence(planned));
  const outcomes = await runPlan(run, { concurrent, sequential: others });
  const { limitedRequests } = counts;
  outcomes.push(...(await runPlan(run, { concurrent: [], sequential: sequential.filter(isSequence) })));
  const limitedBySequences = counts.limitedRequests - limitedRequests;
  return { ...counts, limitedBySequences, responseChecks: onlyResponses(outcomes) };
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

test("the requirements that sequences verify are those of a run of the profile model", async () => {
  const settings = demoSettings("model");
  const { sandbox, time } = await standingSandbox();
  const outcomes = await runPlan(createRun(sandbox, time, { settings }), planOf(settings));
  const measured = Object.keys(verifiedBySequences).map((kind, index) => [
    kind,
    outcomes[index]?.ids.toSorted().join(" "),
  ]);
  expect(outcomes.length).toBe(measured.length);
  const remedy = `write in verified.ts: ${JSON.stringify(Object.fromEntries(measured))}`;
  expect(Object.fromEntries(measured), remedy).toEqual(verifiedBySequences);
});

test.each(profiles)("the totals of the profile %s are those of a run", async (profile) => {
  const measured = await measure(profile);
  const written = runTotals[profile];
  const remedy = `write in run-totals.ts: ${profile}: ${JSON.stringify(measured)}`;
  expect(measured.responseChecks, remedy).toBe(written.responseChecks);
  // Polling makes some requests more or fewer.
  for (const name of ["requests", "limitedRequests", "limitedBySequences", "emails", "recipients"] as const)
    expect(Math.abs(measured[name] - written[name]), `${name}: ${remedy}`).toBeLessThanOrEqual(
      written[name] / 10,
    );
});
