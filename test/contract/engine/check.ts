import type { OperationId } from "../../../generated/operations.ts";
import type { HookName, Role, Tag } from "./settings.ts";
import type { Tester } from "./tester.ts";

/** Something of the configuration that a check cannot do without, by its name there. */
export type Need =
  | `keys.${Role}`
  | `hooks.${HookName}`
  | `domains.${"verified" | "restricted" | "unfinished" | "stopped"}`
  | `lists.${"plain" | "second" | "doubleOptIn" | "otherAccount"}`
  | `fields.${"text" | "number" | "date" | "url"}`
  | `contacts.${"cleaned" | "complained"}`
  | "simulatorDomain"
  | "template"
  | "suppressed"
  | "recipientDomain"
  | "contactDomain"
  | "attachmentLink";

/** One trial of a law: a case in which it must hold. */
export interface Trial {
  /** The case, where a law has several; empty where it has one. */
  title: string;
  /** The operation that the case is about, where it is about one: it decides which profiles it belongs to. */
  operation?: OperationId;
  /** Whether the profile `core` tries it too; the first trial of a law, where none says so. */
  core?: boolean;
  /** What this case needs beyond what the check needs. */
  needs?: readonly Need[];
  /** @throws BrokenPromise where the law does not hold, NotVerified where it cannot be tried */
  run(tester: Tester): Promise<unknown>;
}

/** A law of the service, with the requirements it verifies and the trials in which it must hold. */
export interface Check {
  ids: readonly string[];
  /** What holds, as a sentence without a full stop. */
  law: string;
  needs: readonly Need[];
  tags: readonly Tag[];
  /** Whether nothing may run beside its trials. */
  alone: boolean;
  trials: readonly Trial[];
}

export interface CheckOptions {
  /** Without these it is not verified. The key `full` is always needed. */
  needs?: readonly Need[];
  /** `clock` moves the server's clock, so that nothing runs beside it; `burst` uses up a request limit, and comes last. */
  tags?: readonly Tag[];
  /** Nothing runs beside its trials: what they look at would change under them, or others would meet what they prepare. */
  alone?: boolean;
}

/**
 * A check of the suite.
 *
 * @param ids the requirements it verifies, written out in the call, so that the trace finds them
 * @param law what holds, as a sentence without a full stop
 * @param trials the cases, or the one case there is
 */
export function check(
  ids: string | readonly string[],
  law: string,
  { needs = [], tags = [], alone = false }: CheckOptions,
  trials: readonly Trial[] | Trial["run"],
): Check {
  const cases = typeof trials === "function" ? [{ title: "", run: trials }] : trials;
  return { ids: [ids].flat(), law, needs, tags, alone, trials: cases };
}
