import { Tester } from "../../../contract/engine/tester.ts";
import { explore } from "../../../contract/model/search.ts";
import type { SandboxOptions } from "../../../sandbox/index.ts";
import demo from "../../../sandbox/seed/demo.json" with { type: "json" };
import { createRun, openSandbox } from "../../mutants/harness.ts";
import type { Interceptor, SandboxContext } from "../../mutants/mutant.ts";

export interface ExploreOptions {
  product: "email" | "newsletter";
  sequences: number;
  seconds: number;
  seed: number;
  /** Default: `mostFailures`. */
  failures?: number;
  /** Stands between the model and the sandbox; default: nothing. */
  intercept?: (context: SandboxContext) => Interceptor;
  sandbox?: SandboxOptions;
}

const unlimited = Object.fromEntries(demo.accounts.map(({ id }) => [id, 1_000_000_000]));

/** Compares sequences of up to 40 steps on a new sandbox with the model, in process and with a virtual clock. */
export async function exploreSandbox({
  product,
  intercept,
  sandbox: given = {},
  ...options
}: ExploreOptions): ReturnType<typeof explore> {
  const { sandbox, time } = await openSandbox({ requestsPerMinute: unlimited, ...given });
  const tester = new Tester(createRun(sandbox, time, intercept === undefined ? {} : { intercept }));
  try {
    return await explore(tester, {
      ...options,
      email: product === "email",
      newsletter: product === "newsletter",
      canWait: true,
      maxLength: 40,
    });
  } finally {
    await sandbox.close();
  }
}
