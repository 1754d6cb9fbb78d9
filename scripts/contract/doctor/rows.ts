import { requirementsByNeed } from "../../../test/contract/config/needs.ts";
import { NotVerified } from "../../../test/contract/engine/assert.ts";
import type { Need } from "../../../test/contract/engine/check.ts";
import { Unreachable } from "../../../test/contract/engine/http.ts";
import { missingNeeds } from "../../../test/contract/engine/run-case.ts";
import {
  type HookName,
  type Hooks,
  type Profile,
  type Role,
  roles,
  type Settings,
} from "../../../test/contract/engine/settings.ts";
import type { Plan } from "../../../test/contract/plan.ts";
import { allSettings } from "../settings-list.ts";
import type { Finding } from "./finding.ts";
import { probeKey } from "./key-probes.ts";
import { type ProbeContext, probeFixture } from "./probes.ts";

/** What was found of one setting. */
export interface Row {
  setting: string;
  state: Finding["state"] | "missing";
  says: string;
}

const descriptions = new Map(allSettings.map(({ need, description }) => [need, description]));
/** What a setting is for, in the words of the schema. */
export const descriptionOf = (need: Need): string => descriptions.get(need) ?? "";

/** Every setting that is there, with what was found; and every one that is missing for a check of the run. */
export async function rowsOf(look: ProbeContext, hooks: Partial<Hooks>, plan: Plan): Promise<Row[]> {
  const { settings } = look.tester;
  const checks = [...plan.concurrent, ...plan.sequential].map(({ check, testCase: trial }) => ({
    ...check,
    trials: [trial],
  }));
  const brings = requirementsByNeed(checks);
  const rows: Row[] = [];
  for (const { need } of allSettings) {
    const isMissing = missingNeeds({ settings, hooks }, [need]).length > 0;
    const count =
      need === "keys.full" ? new Set(checks.flatMap(({ ids }) => ids)).size : (brings.get(need)?.size ?? 0);
    if (isMissing && count === 0) continue;
    const stays = `for ${count} requirement${count === 1 ? ", which stays" : "s, which stay"} unverified`;
    if (isMissing) rows.push({ setting: need, state: "missing", says: stays });
    else rows.push({ setting: need, ...(await findingOf(look, hooks, need)) });
  }
  for (const role of roles) {
    if (settings.fixtures.domains?.ofRole?.[role] === undefined) continue;
    const setting = `domains.ofRole.${role}`;
    rows.push({ setting, ...(await reached(() => look.scheduled.ofRole(role))) });
  }
  return rows;
}

const findingOf = (look: ProbeContext, hooks: Partial<Hooks>, need: Need): Promise<Finding> =>
  reached(async () => {
    const [section, name] = need.split(".");
    if (section === "keys") return probeKey(look, name as Role, productsOf(look.tester.settings.profile));
    if (section === "hooks") return probeHook(look.tester.settings, hooks, name as HookName);
    return probeFixture(look, need);
  });

/** A call that gets no answer is a finding too: a doctor goes on. */
const reached = (look: () => Promise<Finding>): Promise<Finding> =>
  look().catch((error: unknown): Finding => {
    if (error instanceof Unreachable) return { state: "wrong", says: error.message };
    if (error instanceof NotVerified) return { state: "unproven", says: "To look, it takes keys.full." };
    throw error;
  });

const productsOf = (profile: Profile): readonly (string | null)[] =>
  profile === "email" || profile === "newsletter" ? [profile, null] : ["email", "newsletter", null];

/** Hooks change the server, so that none is called: whoever answers at the address is all that can be seen. */
async function probeHook(settings: Settings, hooks: Partial<Hooks>, name: HookName): Promise<Finding> {
  const call = settings.hooks[name];
  if (call === undefined)
    return {
      state: "unproven",
      says: `A function${hooks[name]?.name ? ` (${hooks[name]?.name})` : ""}; only a run calls it.`,
    };
  const { origin } = new URL(call.url.replaceAll(/[{}]/g, ""));
  try {
    const answer = await fetch(origin, { method: "OPTIONS", signal: AbortSignal.timeout(10_000) });
    await answer.body?.cancel();
    return { state: "unproven", says: "Its host answers; only a run calls it." };
  } catch {
    return { state: "wrong", says: `Nothing answers at ${origin}. Start it, or correct the address.` };
  }
}
