import { measureClockOffset } from "../../contract/clock-offset.ts";
import type { CaseOutcome } from "../../contract/engine/outcome.ts";
import { type Mailbox, Run, type RunOptions } from "../../contract/engine/run.ts";
import type { Hooks, Settings } from "../../contract/engine/settings.ts";
import { Tester } from "../../contract/engine/tester.ts";
import type { ObservedExchange } from "../../contract/observe/subjects.ts";
import { type Plan, runPlan } from "../../contract/plan.ts";
import type { Message } from "../../sandbox/domain/records.ts";
import { type Sandbox, type SandboxOptions, startSandbox } from "../../sandbox/index.ts";
import { recorded } from "../observe/recorded.ts";
import { demoSandbox, demoSettings, withAccountList, withLinkedFile } from "./demo.ts";
import { type Interceptor, intercepted, type Mutant, type SandboxContext } from "./mutant.ts";
import { type VirtualTime, virtualTime } from "./virtual-time.ts";

interface SandboxRunOptions {
  /** Stands between the suite and the sandbox; default: nothing. */
  intercept?: (context: SandboxContext) => Interceptor;
  /** Stands between the sandbox and the mailbox; default: nothing. */
  deliver?: Mutant["deliver"];
  /** Run one after the other. */
  plans: readonly Plan[];
  /** Called with each outcome; false stops the run. */
  onOutcome?: (outcome: CaseOutcome) => boolean;
  sandbox?: SandboxOptions;
  /** Default: those of the demo accounts with the profile `full`. */
  settings?: Settings;
  /** Called with each exchange between the suite and the mutant. */
  onExchange?: (exchange: ObservedExchange) => void;
}

/**
 * Runs the test cases of plans on a new sandbox, in process and without waiting: the sandbox's clock stands still while
 * requests are in progress and advances when everything waits.
 */
export async function runOnSandbox({
  intercept,
  deliver,
  plans,
  onOutcome = () => true,
  sandbox: options = {},
  settings,
  onExchange,
}: SandboxRunOptions): Promise<CaseOutcome[]> {
  const { sandbox, time } = await openSandbox(options);
  const run = createRun(sandbox, time, {
    ...(intercept && { intercept }),
    ...(deliver && { deliver }),
    ...(settings && { settings }),
    ...(onExchange && { onExchange }),
  });
  await measureClockOffset(new Tester(run));
  let shouldContinue = true;
  try {
    const report = (outcome: CaseOutcome): boolean => {
      shouldContinue = onOutcome(outcome) && shouldContinue;
      return shouldContinue;
    };
    const outcomes: CaseOutcome[] = [];
    for (const plan of plans) if (shouldContinue) outcomes.push(...(await runPlan(run, plan, report)));
    return outcomes;
  } finally {
    await sandbox.close();
  }
}

/** A sandbox whose clock stands still, and a clock that also advances it. */
export async function openSandbox(
  options: SandboxOptions = {},
): Promise<{ sandbox: Sandbox; time: VirtualTime }> {
  const start = Date.now();
  const sandbox = await startSandbox({
    ...demoSandbox(),
    clock: { frozen: true, startAt: start },
    ...options,
  });
  const time = virtualTime({ start, pass: (milliseconds) => sandbox.clock.advance(milliseconds) });
  return { sandbox, time };
}

/** A run on a sandbox with the demo accounts. */
export function createRun(
  sandbox: Sandbox,
  time: VirtualTime,
  {
    intercept,
    deliver,
    settings = demoSettings(),
    onWait = () => {},
    onExchange,
  }: Pick<SandboxRunOptions, "intercept" | "deliver" | "onExchange"> & {
    settings?: Settings;
    onWait?: RunOptions["onWait"];
  } = {},
): Run {
  const control = controlOf(sandbox);
  const context: SandboxContext = {
    bearer: (role) => `Bearer ${settings.keys[role]}`,
    now: () => sandbox.clock.now(),
    realNow: time.now,
    control,
  };
  // Mutants see the path and query, not the host.
  const plain = (url: string, init: RequestInit) => {
    const { pathname, search } = new URL(url, "http://sandbox");
    return sandbox.fetch(pathname + search, init);
  };
  const whole = withLinkedFile(withAccountList(plain));
  const own = intercept === undefined ? whole : intercepted(whole, intercept(context));
  const fetch =
    onExchange === undefined ? own : recorded(own, { now: time.now, serverNow: context.now, onExchange });
  return new Run({
    settings: { ...settings, hooks: hooksOf(control) },
    fetch: (url, init) => time.during(() => fetch(url, init)),
    mailbox: mailboxOf(sandbox, deliver),
    onWait,
    time,
  });
}

/** Requests to the control API of a sandbox. */
export const controlOf =
  (sandbox: Sandbox): SandboxContext["control"] =>
  async (method, path, body) => {
    const response = await sandbox.fetch(path, {
      method,
      ...(body === undefined
        ? {}
        : { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} returned ${response.status}: ${text}`);
    return text === "" ? undefined : (JSON.parse(text) as unknown);
  };

const hooksOf = (control: SandboxContext["control"]): Hooks => ({
  advanceClock: ({ seconds }) => control("POST", "/sandbox/clock", { advance: `PT${seconds}S` }),
  confirm: ({ email, list }) => control("POST", "/sandbox/confirm", { email, list_id: list }),
  suppress: ({ email }) => control("POST", "/sandbox/suppress", { email, reason: "hard bounce" }),
  reset: () => control("POST", "/sandbox/reset"),
  failNext: (given) => control("POST", "/sandbox/failures", given),
});

/** The messages of a sandbox that have been sent, the oldest first. Each is read again only until it has been sent. */
function sentMessages({ store }: Pick<Sandbox, "store">): () => Promise<Message[]> {
  const known = new Map<string, Message>();
  const unknown = async (limit: number): Promise<Message[]> => {
    const newest = await store.messages({ limit });
    const found = newest.filter(({ id }) => !known.has(id));
    return found.length === limit ? unknown(4 * limit) : found;
  };
  return async () => {
    for (const { id, accountId, dueAt, sentAt } of known.values()) {
      const now = dueAt !== null && sentAt === null ? await store.message(accountId, id) : undefined;
      if (now !== undefined) known.set(id, now);
    }
    for (const message of (await unknown(16)).reverse()) known.set(message.id, message);
    return [...known.values()].filter(({ sentAt }) => sentAt !== null);
  };
}

/** The mail that a sandbox has sent, without SMTP, so that no time passes. */
function mailboxOf(sandbox: Pick<Sandbox, "outbox" | "store">, deliver: Mutant["deliver"]): Mailbox {
  const { outbox } = sandbox;
  const sent = sentMessages(sandbox);
  return {
    messagesTo: async (recipient) => {
      const messages = (await sent()).filter(({ to, cc, bcc }) => [...to, ...cc, ...bcc].includes(recipient));
      const arrived = messages.map(async (message) => {
        const mime = Buffer.from(await outbox.eml(message)).toString("latin1");
        return deliver === undefined ? mime : deliver(mime, recipient);
      });
      const all = await Promise.all(arrived);
      return all.flatMap((mime) => (mime === undefined ? [] : [Buffer.from(mime, "latin1")]));
    },
    isEmpty: async () => (await sent()).length === 0,
    close: async () => {},
  };
}

/** The test cases that did not pass, a line each, in order. */
export const notPassed = (outcomes: readonly CaseOutcome[]): string[] =>
  outcomes
    .filter(({ verdict }) => verdict !== "pass")
    .map(({ verdict, ids, title, reason }) => `${verdict}: ${ids.join(" ")} ${title}: ${reason ?? ""}`)
    .sort();
