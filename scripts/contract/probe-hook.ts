import { Unreachable } from "../../contract/engine/http.ts";
import type { HookName } from "../../contract/engine/settings.ts";
import { type Exchange, isSuccess } from "../../contract/exchange.ts";
import { ok, type ProbeContext, type ProbeResult, unproven, wrong } from "./probes.ts";
import { NotScheduled } from "./scheduled-messages.ts";

type Probe = (context: ProbeContext) => Promise<ProbeResult>;

/** A call of each hook that does no harm, and what shows that it works. */
const probes: Record<HookName, Probe> = {
  advanceClock: async ({ tester }) => {
    await tester.hook("advanceClock", { seconds: 1 });
    return ok("It responds to one second; a run shows what it moves.");
  },
  confirm: async () => unproven("Not called: it needs a new contact. Only a run calls it."),
  suppress: async ({ tester, messages }) => {
    const { recipientDomain = "example.com" } = tester.settings.fixtures;
    const email = `contract-doctor-${tester.run.unique()}@${recipientDomain}`;
    await tester.hook("suppress", { email });
    const sent = await messages.schedule({ to: [email] }).catch((error: unknown) => {
      if (error instanceof NotScheduled) return undefined;
      throw error;
    });
    if (sent === undefined) return unproven("It responds; what it does was not checked.");
    return sent.status === 422
      ? ok("A send to a suppressed recipient alone is rejected with 422.")
      : wrong(`A send to ${email} responds with ${sent.status}, not 422, after the call.`);
  },
  reset: async ({ tester, mayReset }) => {
    if (!mayReset) return unproven("Not called: --reset allows it.");
    await tester.hook("reset", {});
    return ok("It responds.");
  },
  failNext: async ({ tester }) => {
    await tester.hook("failNext", { failure: "500", requests: 1 });
    const failed: Exchange = await tester.request("getMe");
    const next = await tester.request("getMe");
    if (failed.status !== 500)
      return wrong(`After a call with 500 and 1, getMe responds with ${failed.status}, not 500.`);
    return isSuccess(next)
      ? ok("It makes one request fail with 500.")
      : wrong(`After a call with 500 and 1, also the second request fails, with ${next.status}.`);
  },
};

/** Calls a hook with the least effect, so that what it does shows before a run. */
export async function probeHook(context: ProbeContext, name: HookName): Promise<ProbeResult> {
  try {
    return await probes[name](context);
  } catch (error) {
    if (error instanceof Unreachable)
      return wrong(`${error.message.replace(/\.$/, "")}. Start it, or fix its setting.`);
    throw error;
  }
}
