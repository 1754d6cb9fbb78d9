import { measureClockOffset } from "../../contract/clock-offset.ts";
import {
  type DiscoverOptions,
  discover,
  readOperations,
  withDiscovery,
} from "../../contract/config/discover.ts";
import { loadSettings } from "../../contract/config/load.ts";
import { integerHeader } from "../../contract/engine/rate-limiter.ts";
import { Run } from "../../contract/engine/run.ts";
import { missingNeeds } from "../../contract/engine/run-case.ts";
import { redactor, secretsOf } from "../../contract/engine/secrets.ts";
import { type HookName, isInRun, type Omissible, type Settings } from "../../contract/engine/settings.ts";
import { Tester } from "../../contract/engine/tester.ts";
import { isSuccess } from "../../contract/exchange.ts";
import { openAttachment } from "../../contract/mail/open.ts";
import { type Plan, planOf } from "../../contract/plan.ts";
import { brief, inShort } from "../../contract/text.ts";
import { requirementsByNeed } from "../../contract/verifiable.ts";
import { isResponding } from "../../lib/connection.ts";
import { printLine } from "../../lib/print.ts";
import { plainTable } from "../../lib/table.ts";
import { count, wrapped } from "../../lib/text.ts";
import type { SetUpOptions } from "./options.ts";
import { printWait, tellingFetch } from "./output.ts";
import { ok, type ProbeContext, type ProbeResult, probe, resultOf, unproven, wrong } from "./probes.ts";
import { runEstimate } from "./run-estimate.ts";
import { ScheduledMessages } from "./scheduled-messages.ts";
import { allSettings } from "./settings-list.ts";

export interface DoctorOptions extends SetUpOptions {
  /** Default: one of the default files in the folder, if there is one. */
  config?: string;
  without?: readonly Omissible[];
  /** Calls the hook `reset` too. */
  reset?: boolean | undefined;
}

/**
 * The command `contract doctor`: checks every setting with requests that send no email, and prints what a run sends. To a list that it cannot read, it
 * adds a contact that leaves it again.
 * @returns the exit code: 0, or 2 if a setting is wrong
 * @throws UserError with exit code 2 if the configuration is invalid, or the server does not respond or rejects the key
 */
export async function runDoctor(options: DoctorOptions = {}): Promise<number> {
  const { config, env = process.env, folder, baseUrl, profile, without, ...others } = options;
  const settings = await loadSettings({ env, file: config, folder, baseUrl, profile, without });
  return checkSettings(settings, { ...others, keyVariable: settings.keyVariables.full });
}

/** Does the same for loaded settings. */
export async function checkSettings(
  given: Settings & { file?: string },
  options: DiscoverOptions & Pick<DoctorOptions, "print" | "reset">,
): Promise<number> {
  const { print = printLine, reset = false, keyVariable, wait, ...others } = options;
  const means = { onWait: printWait, fetch: tellingFetch(given.deadlines.response), ...others };
  const isMock = given.profile === "mock";
  const found = await discover(isMock ? { ...given, keys: {} } : given, { ...means, keyVariable, wait });
  const settings = withDiscovery(given, found);
  const run = new Run({ settings, ...means });
  const tester = new Tester(run);
  const plan = planOf(settings);
  const messages = new ScheduledMessages(tester);
  if (!isMock) {
    await measureClockOffset(tester, false);
    // Finds a clock that is ahead by what can be scheduled. Problems are reported in the row of the domain.
    await messages.fromVerified().catch(() => {});
  }
  const context: ProbeContext = { tester, found, messages, mayReset: reset };
  const redact = redactor(secretsOf(settings));
  // A mock has no fixtures.
  const attachment = isMock ? undefined : await openAttachment(settings);
  const all = isMock ? [] : await rowsOf(context, plan).finally(() => attachment?.close());
  const rows = all.map((row) => ({ ...row, says: brief(redact(row.says), maxText) }));
  const head = ["Setting", "State", "Details"];
  const cells = rows.map(({ setting, state, says }) => [setting, shownStates[state], says]);
  const wrong = rows.filter(({ state }) => state === "wrong").length;
  const missing = rows.some(({ state }) => state === "missing");
  const limit = tester.exchanges.map((one) => integerHeader(one, "limit")).find(Number.isInteger);
  const from = given.file === undefined ? "" : `, configuration ${given.file}`;
  print(
    [
      wrapped(`${settings.baseUrl}, profile ${settings.profile}${from}`),
      ...(rows.length === 0 ? [] : [plainTable({ head, widths: [27, 8, 43], rows: cells })]),
      ...messagesOf(messages),
      ...clockOf(run),
      runEstimate(settings, plan, { limit }),
      wrapped(
        wrong === 0
          ? `No setting is wrong.${missing ? " Requirements of missing settings are not verified; they do not fail." : ""}`
          : `${wrong} of ${rows.length} settings ${wrong === 1 ? "is" : "are"} wrong: fix what the table says.`,
      ),
    ].join("\n\n"),
  );
  return wrong === 0 ? 0 : 2;
}

/** Characters of a row: a server decides how long texts are. */
const maxText = 800;

const shownStates: Record<Row["state"], string> = {
  ok: "ok",
  wrong: "WRONG",
  unproven: "ok?",
  missing: "missing",
};

/** A line about a clock that is off, because an earlier run advanced it. */
function clockOf({ offset }: Run): string[] {
  if (offset === 0) return [];
  const minutes = Math.round(Math.abs(offset) / 60_000);
  const apart = minutes < 2 * 1440 ? count(minutes, "minute") : count(Math.round(minutes / 1440), "day");
  return [
    wrapped(`The server's clock is about ${apart} ${offset > 0 ? "ahead" : "behind"}: a run uses its time.`),
  ];
}

/** What became of the messages that were scheduled to test settings. */
const messagesOf = ({ canceled, left, sent }: ScheduledMessages): string[] =>
  [
    canceled > 0 &&
      `${count(canceled, "message was", "messages were")} scheduled for later and canceled at once: none was sent.`,
    left.length > 0 && `These messages could not be canceled, and are due in four weeks: ${left.join(", ")}`,
    sent.length > 0 &&
      `This message was scheduled four weeks ahead, but the response has no scheduled_at and the message could not be canceled: the server most likely sent it at once: ${sent.join(", ")}`,
  ].flatMap((line) => (line === false ? [] : [wrapped(line)]));

interface Row {
  setting: string;
  state: ProbeResult["state"] | "missing";
  says: string;
}

/** Every configured setting with its result, and every missing one that a check of the run needs. */
async function rowsOf(context: ProbeContext, plan: Plan): Promise<Row[]> {
  const { settings } = context.tester;
  const byNeed = requirementsByNeed(plan);
  const rows: Row[] = [];
  for (const { need } of allSettings) {
    const ids = [...(byNeed.get(need) ?? [])];
    const [section, name] = need.split(".");
    if (missingNeeds(settings, [need]).length === 0) {
      const result =
        section === "hooks" ? hookProbes[name as HookName](context).catch(resultOf) : probe(context, need);
      rows.push({ setting: need, ...(await result) });
    } else if (ids.length > 0) {
      const named = need === "keys.full" ? "" : `: ${inShort(ids, 5)}`;
      const says = `${count(ids.length, "requirement is", "requirements are")} not verified without it${named}`;
      rows.push({ setting: need, state: "missing", says });
    }
  }
  return rows;
}

/** A call of each hook with the least effect, so that its meaning shows before a run, and what shows that it works. */
const hookProbes: Record<HookName, (context: ProbeContext) => Promise<ProbeResult>> = {
  advanceClock: async ({ tester }) => {
    await tester.hook("advanceClock", { seconds: 1 });
    return ok("It succeeds with one second; a run shows what it moves.");
  },
  confirm: (context) => uncalled(context, "confirm", "it needs a pending contact"),
  suppress: async ({ tester, messages }) => {
    const { recipientDomain = "example.com" } = tester.settings.fixtures;
    const email = `contract-doctor-${tester.run.unique()}@${recipientDomain}`;
    await tester.hook("suppress", { email });
    const { status } = await messages.schedule({ to: [email] });
    return status === 422
      ? ok("A send to a suppressed recipient alone is rejected with 422.")
      : wrong(`After the call, a send to ${email} responds with ${status}, not 422.`);
  },
  reset: async (context) => {
    if (!context.mayReset) return uncalled(context, "reset", "--reset allows it");
    await context.tester.hook("reset", {});
    return ok("It succeeds.");
  },
  failNext: async (context) => {
    const { tester, found } = context;
    const operation = readOperations.find(
      (one) => isInRun(tester.settings, one) && !(one in found.rejections),
    );
    if (operation === undefined)
      return uncalled(context, "failNext", "it needs an operation that reads and has no id");
    await tester.hook("failNext", { failure: "500", requests: 1 });
    const [failed, next] = [await tester.request(operation), await tester.request(operation)];
    if (failed.status === 500 && isSuccess(next)) return ok("It makes one request fail with 500.");
    const responses = `${operation} responds with ${failed.status}, then ${next.status}`;
    return wrong(`After a call with failure 500 and requests 1, ${responses}, not 500, then a success.`);
  },
};

/** Of a hook that only a run calls, whether its host responds. */
async function uncalled({ tester }: ProbeContext, name: HookName, reason: string): Promise<ProbeResult> {
  const hook = tester.settings.hooks[name];
  if (hook === undefined || typeof hook === "function") return unproven(`Not called: ${reason}.`);
  const { origin } = new URL(hook.url.replaceAll(/[{}]/g, ""));
  return (await isResponding(origin))
    ? unproven(`Its host responds. Not called: ${reason}.`)
    : wrong(`Nothing responds at ${origin}. Start it, or fix the URL.`);
}
