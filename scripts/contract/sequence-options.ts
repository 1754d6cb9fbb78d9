import { sequenceChecks } from "../../contract/checks/sequences.ts";
import type { SequenceSettings, Settings } from "../../contract/engine/settings.ts";
import { plannedCases, planOf } from "../../contract/plan.ts";
import { UserError } from "../../lib/user-error.ts";

/** The options for random sequences of requests. */
export type SequenceOptions = Partial<Pick<SequenceSettings, "sequences" | "seconds" | "seed">>;

/**
 * The settings with the options for random sequences.
 * @throws UserError with exit code 2 if there are such options, but the run has no sequences
 */
export function withSequences(settings: Settings, options: SequenceOptions, grep?: RegExp): Settings {
  const names = ["sequences", "seconds", "seed"] as const;
  const given = names.flatMap((name) =>
    options[name] === undefined ? [] : [[name, options[name]] as const],
  );
  const [first] = given;
  if (first === undefined) return settings;
  if (plannedCases(planOf(settings, grep)).some(({ check }) => sequenceChecks.includes(check)))
    return { ...settings, sequences: Object.fromEntries(given) };
  const cause = grep === undefined ? `the profile ${settings.profile}` : "--grep";
  throw new UserError(`--${first[0]} has no effect: with ${cause}, the run has no random sequences`, {
    hint: "Use it with --profile model, email, newsletter or full, and without --grep.",
    exitCode: 2,
  });
}
