import { requirementsByNeed } from "../../../contract/config/needs.ts";
import { NotVerified } from "../../../contract/engine/assert.ts";
import type { Need } from "../../../contract/engine/check.ts";
import { Unreachable } from "../../../contract/engine/http.ts";
import { missingNeeds } from "../../../contract/engine/run-case.ts";
import {
  type HookName,
  type Hooks,
  type Role,
  roles,
  type Settings,
} from "../../../contract/engine/settings.ts";
import { type Plan, plannedCases, productsOfProfile } from "../../../contract/plan.ts";
import { allSettings } from "../settings-list.ts";
import type { Finding } from "./finding.ts";
import { probeKey } from "./key-probes.ts";
import { type ProbeContext, probeFixture } from "./probes.ts";

/** The result for one setting. */
export interface Row {
  setting: string;
  state: Finding["state"] | "missing";
  says: string;
}

/** Every configured setting with its result, and every missing one that a check of the run needs. */
export async function rowsOf(context: ProbeContext, hooks: Partial<Hooks>, plan: Plan): Promise<Row[]> {
  const { settings } = context.tester;
  const checks = plannedCases(plan).map(({ check, testCase }) => ({ ...check, cases: [testCase] }));
  const byNeed = requirementsByNeed(checks);
  const rows: Row[] = [];
  for (const { need } of allSettings) {
    const isMissing = missingNeeds({ settings, hooks }, [need]).length > 0;
    const count =
      need === "keys.full" ? new Set(checks.flatMap(({ ids }) => ids)).size : (byNeed.get(need)?.size ?? 0);
    if (!isMissing) rows.push({ setting: need, ...(await findingOf(context, hooks, need)) });
    else if (count > 0) rows.push(missing(need, count));
  }
  for (const role of roles) {
    const setting = `domains.ofRole.${role}` as const;
    const count = byNeed.get(setting)?.size ?? 0;
    if (settings.fixtures.domains?.ofRole?.[role] !== undefined)
      rows.push({ setting, ...(await reportUnreachable(() => context.scheduled.ofRole(role))) });
    else if (count > 0) rows.push(missing(setting, count));
  }
  return rows;
}

const missing = (setting: string, count: number): Row => ({
  setting,
  state: "missing",
  says: `${count} requirement${count === 1 ? " is" : "s are"} not verified without it`,
});

const findingOf = (context: ProbeContext, hooks: Partial<Hooks>, need: Need): Promise<Finding> =>
  reportUnreachable(async () => {
    const [section, name] = need.split(".");
    if (section === "keys")
      return probeKey(context, name as Role, productsOfProfile[context.tester.settings.profile]);
    if (section === "hooks") return probeHook(context.tester.settings, hooks, name as HookName);
    return probeFixture(context, need);
  });

/** A request without a response makes the setting wrong, and does not end the command. */
const reportUnreachable = (probe: () => Promise<Finding>): Promise<Finding> =>
  probe().catch((error: unknown): Finding => {
    if (error instanceof Unreachable) return { state: "wrong", says: error.message };
    if (error instanceof NotVerified) return { state: "unproven", says: "Not checked: it needs keys.full." };
    throw error;
  });

/** Hooks change the server, so none is called: only the host is checked. */
async function probeHook(settings: Settings, hooks: Partial<Hooks>, name: HookName): Promise<Finding> {
  const call = settings.hooks[name];
  if (call === undefined)
    return {
      state: "unproven",
      says: `A function${hooks[name]?.name ? ` (${hooks[name]?.name})` : ""}; only a run calls it.`,
    };
  const { origin } = new URL(call.url.replaceAll(/[{}]/g, ""));
  try {
    const response = await fetch(origin, { method: "OPTIONS", signal: AbortSignal.timeout(10_000) });
    await response.body?.cancel();
    return { state: "unproven", says: "Its host responds; only a run calls it." };
  } catch {
    return { state: "wrong", says: `Nothing responds at ${origin}. Start it, or fix the URL.` };
  }
}
