import { readOperations } from "../../contract/config/discover.ts";
import { type HookName, isInRun } from "../../contract/engine/settings.ts";
import { isSuccess } from "../../contract/exchange.ts";
import { isResponding } from "../../lib/connection.ts";
import { ok, type ProbeContext, type ProbeResult, resultOf, unproven, wrong } from "./probes.ts";

type Probe = (context: ProbeContext) => Promise<ProbeResult>;

/** A call of each hook that does no harm, and what shows that it works. */
const probes: Record<HookName, Probe> = {
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
      (one) => isInRun(tester.settings, one) && found.rejections[one] === undefined,
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

/** Calls a hook with the least effect, so that its meaning shows before a run. */
export const probeHook = (context: ProbeContext, name: HookName) => probes[name](context).catch(resultOf);

/** Of a hook that only a run calls, whether its host responds. */
async function uncalled({ tester }: ProbeContext, name: HookName, reason: string): Promise<ProbeResult> {
  const hook = tester.settings.hooks[name];
  if (hook === undefined || typeof hook === "function") return unproven(`Not called: ${reason}.`);
  const { origin } = new URL(hook.url.replaceAll(/[{}]/g, ""));
  return (await isResponding(origin))
    ? unproven(`Its host responds. Not called: ${reason}.`)
    : wrong(`Nothing responds at ${origin}. Start it, or fix the URL.`);
}
