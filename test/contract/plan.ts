import { type OperationId, operations } from "../../generated/operations.ts";
import { requirements } from "../../generated/requirements.ts";
import { checksOfServer } from "./checks/checks.ts";
import type { Check, Trial } from "./engine/check.ts";
import type { Profile, Settings, Tag } from "./engine/settings.ts";
import { checksOfMock } from "./mock/checks.ts";

/** A trial that is going to be made, and the check that it belongs to. */
export interface PlannedTrial {
  check: Check;
  trial: Trial;
}

/** What a run is going to do. */
export interface Plan {
  /** Side by side. */
  together: PlannedTrial[];
  /** One after another, when the others are through: what nothing may run beside, then what moves the clock, then what uses up a limit. */
  oneByOne: PlannedTrial[];
}

/** The products that the operations of a profile belong to. */
const products: Record<Profile, readonly (string | null)[]> = {
  mock: ["email", "newsletter", null],
  core: ["email", "newsletter", null],
  full: ["email", "newsletter", null],
  email: ["email", null],
  newsletter: ["newsletter", null],
};

/**
 * The trials of a run, in the order they begin in.
 * @param grep only checks whose ids and law it matches
 */
export function planOf(
  settings: Pick<Settings, "profile" | "without" | "fixtures" | "runId">,
  grep?: RegExp,
): Plan {
  const { profile, without } = settings;
  const checks = profile === "mock" ? checksOfMock() : checksOfServer(settings);
  const trials = checks
    .filter(({ tags }) => !tags.some((tag) => without.includes(tag)))
    .filter((check) => grep === undefined || grep.test(nameOf(check)))
    .flatMap((check) => trialsOf(check, profile).map((trial) => ({ check, trial })));
  const last = ({ check }: PlannedTrial, tag: Tag): boolean => check.tags.includes(tag);
  const clock = trials.filter((one) => last(one, "clock") && !last(one, "burst"));
  const burst = trials.filter((one) => last(one, "burst"));
  const others = trials.filter((one) => !clock.includes(one) && !burst.includes(one));
  return {
    together: others.filter(({ check }) => !check.alone),
    oneByOne: [...others.filter(({ check }) => check.alone), ...clock, ...burst],
  };
}

/** How a check is called: its ids, then its law. */
export const nameOf = ({ ids, law }: Pick<Check, "ids" | "law">): string => `${ids.join(" ")} ${law}`;

function trialsOf(check: Check, profile: Profile): Trial[] {
  const wanted = check.trials.filter((trial) => {
    const own = trial.operation === undefined ? productsOf(check) : [operations[trial.operation].product];
    return own.some((product) => products[profile].includes(product));
  });
  if (profile !== "core") return wanted;
  const core = wanted.filter((trial) => trial.core === true);
  return core.length > 0 || wanted.some((trial) => trial.core === false) ? core : wanted.slice(0, 1);
}

/** The products of the operations that the requirements of a check are about. */
function productsOf({ ids }: Check): (string | null)[] {
  const rows: Record<string, { operations: readonly string[] }> = requirements;
  const ofIds = ids.flatMap((id) => rows[id]?.operations ?? []);
  return ofIds.length === 0 ? [null] : ofIds.map((id) => operations[id as OperationId].product);
}
