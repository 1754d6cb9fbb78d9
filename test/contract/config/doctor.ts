import { plainTable } from "../../../scripts/table.ts";
import { wrapped } from "../../../scripts/text.ts";
import { document, headerCalled } from "../document.ts";
import type { Need } from "../engine/check.ts";
import { hooksOf } from "../engine/hooks.ts";
import { type Fetch, Unreachable } from "../engine/http.ts";
import { NotVerified } from "../engine/promise.ts";
import { Run } from "../engine/run.ts";
import { secretsOf, strikerOf } from "../engine/secrets.ts";
import {
  type HookName,
  type Hooks,
  type Profile,
  type Role,
  roles,
  type Settings,
  type Tag,
} from "../engine/settings.ts";
import { Tester } from "../engine/tester.ts";
import { missingOf } from "../engine/try.ts";
import { type Plan, planOf } from "../plan.ts";
import { discover, withDiscovery } from "./discover.ts";
import { prospect } from "./dry-run.ts";
import type { Environment } from "./keys.ts";
import { loadSettings } from "./load.ts";
import { requirementsByNeed } from "./needs.ts";
import { everySetting } from "./outline.ts";
import { type Finding, type Look, lookAt, lookAtKey } from "./probes.ts";
import { Trials } from "./scheduled.ts";

export interface DoctorOptions {
  /** The configuration; one of the usual names in the working directory, where there is one, unless told otherwise. */
  config?: string;
  baseUrl?: string;
  profile?: Profile;
  without?: readonly Tag[];
  /** The environment that keys come from; that of the process unless told otherwise. */
  env?: Environment;
  /** The working directory, unless told otherwise. */
  folder?: string;
  /** The global one unless told otherwise. */
  fetch?: Fetch;
  /** Takes what is said, in lines of at most 80 columns. */
  print?: (text: string) => void;
}

/** What was found of one setting. */
export interface Row {
  setting: string;
  state: Finding["state"] | "missing";
  says: string;
}

/**
 * The verb `contract doctor`: looks at every setting with calls that send no mail, and says what a run is going to take.
 *
 * @returns the exit status: 0, or 2 where a setting is wrong
 * @throws Failure with exit status 2 when the configuration cannot be read, or the server does not answer or take the key
 */
export async function runDoctor(options: DoctorOptions = {}): Promise<number> {
  const { config, env = process.env, folder, print = console.log, fetch, ...given } = options;
  const { baseUrl, profile, without } = given;
  const settings = await loadSettings({
    env,
    ...(config !== undefined && { file: config }),
    ...(folder !== undefined && { folder }),
    ...(baseUrl !== undefined && { baseUrl }),
    ...(profile !== undefined && { profile }),
    ...(without !== undefined && { without }),
  });
  return diagnose(settings, { print, ...(fetch && { fetch }) });
}

/** Does the same with settings that are at hand. */
export async function diagnose(
  given: Settings & { file?: string },
  { print, fetch }: { print: (text: string) => void; fetch?: Fetch },
): Promise<number> {
  const isMock = given.profile === "mock";
  const asking = isMock ? { ...given, keys: {} } : given;
  const found = await discover(asking, fetch === undefined ? {} : { fetch });
  const settings = withDiscovery(given, found);
  const hooks = await hooksOf(settings);
  const run = new Run({ settings, hooks, ...(fetch && { fetch }) });
  const tester = new Tester(run);
  const plan = planOf(settings);
  const trials = new Trials(tester);
  const look: Look = { tester, found, trials, descriptionOf };
  const strike = strikerOf(secretsOf(settings));
  // A server that answers with examples has none of it.
  const rows = (isMock ? [] : await rowsOf(look, hooks, plan)).map((row) => ({
    ...row,
    says: strike(row.says),
  }));
  const wrong = rows.filter(({ state }) => state === "wrong").length;
  const missing = rows.some(({ state }) => state === "missing");
  const limit = Number(tester.exchanges.map(({ headers }) => headers[limitHeader]).find(Boolean));
  const from = given.file === undefined ? "" : `, configuration ${given.file}`;
  print(
    [
      wrapped(`${settings.baseUrl}, profile ${settings.profile}${from}`),
      ...(rows.length === 0 ? [] : [tableOf(rows)]),
      ...messagesOf(trials),
      prospect(settings, plan, hooks, Number.isInteger(limit) ? limit : undefined),
      wrong === 0
        ? `Nothing is wrong.${missing ? " What is missing leaves promises unverified, and breaks none." : ""}`
        : wrapped(
            `${wrong} of ${rows.length} settings ${wrong === 1 ? "is" : "are"} wrong: put right what the table says.`,
          ),
    ].join("\n\n"),
  );
  return wrong === 0 ? 0 : 2;
}

const limitHeader = headerCalled(document, "RateLimitLimit").toLowerCase();

const descriptions = new Map(everySetting.map(({ need, description }) => [need, description]));
const descriptionOf = (need: Need): string => descriptions.get(need) ?? "";

/** Every setting that is there, with what was found; and every one that is missing for a check of the run. */
async function rowsOf(look: Look, hooks: Partial<Hooks>, plan: Plan): Promise<Row[]> {
  const { settings } = look.tester;
  const checks = [...plan.together, ...plan.oneByOne].map(({ check, trial }) => ({
    ...check,
    trials: [trial],
  }));
  const brings = requirementsByNeed(checks);
  const rows: Row[] = [];
  for (const { need } of everySetting) {
    const isMissing = missingOf({ settings, hooks }, [need]).length > 0;
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
    rows.push({ setting, ...(await reached(() => look.trials.ofRole(role))) });
  }
  return rows;
}

const findingOf = (look: Look, hooks: Partial<Hooks>, need: Need): Promise<Finding> =>
  reached(async () => {
    const [section, name] = need.split(".");
    if (section === "keys") return lookAtKey(look, name as Role, productsOf(look.tester.settings.profile));
    if (section === "hooks") return lookAtHook(look.tester.settings, hooks, name as HookName);
    return lookAt(look, need);
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
async function lookAtHook(settings: Settings, hooks: Partial<Hooks>, name: HookName): Promise<Finding> {
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

const shownStates: Record<Row["state"], string> = {
  ok: "ok",
  wrong: "WRONG",
  unproven: "ok?",
  missing: "missing",
};

const tableOf = (rows: readonly Row[]): string =>
  plainTable({
    head: ["Setting", "State", "What was found"],
    widths: [27, 8, 43],
    rows: rows.map(({ setting, state, says }) => [setting, shownStates[state], says]),
  });

function messagesOf({ canceled, left }: Trials): string[] {
  const said =
    canceled === 0
      ? []
      : [
          `To look, ${canceled} message${canceled === 1 ? " was" : "s were"} scheduled for later and canceled at once: none was sent.`,
        ];
  const remaining =
    left.length === 0 ? [] : [`These could not be canceled, and are due in four weeks: ${left.join(", ")}`];
  return [...said, ...remaining].map((text) => wrapped(text));
}
