import type { ExpectedFailure } from "../../contract/config/load.ts";
import type { Profile } from "../../contract/engine/settings.ts";
import { levelsShownBy } from "../../contract/report/levels.ts";
import { usageError } from "../../lib/user-error.ts";
import type { RunOptions } from "./options.ts";

type Publishing = Pick<RunOptions, "publish" | "levelBadge">;

/**
 * Checks that a report for others, or a badge of a level, is one of a whole run.
 * @param parts options with which a run shows something else
 * @throws UserError with exit code 2 if not
 */
export function assertWhole({ publish, levelBadge }: Publishing, parts: Record<string, unknown>): void {
  const [part] = Object.keys(parts).filter((name) => parts[name] !== undefined);
  if (part !== undefined && (publish ?? levelBadge) !== undefined)
    throw usageError(
      `--${publish === undefined ? "level-badge" : "publish"} cannot be combined with --${part}`,
      "A report for others, and a level, are about a whole run.",
    );
}

/**
 * Checks that a run can be published: it has a name, its profile shows a level, and others can read who will fix what fails, and by when.
 * @throws UserError with exit code 2 if not
 */
export function assertPublishable(
  { publish, levelBadge }: Publishing,
  { implementation, profile }: { implementation?: unknown; profile: Profile },
  expected: readonly ExpectedFailure[],
  hint: string,
): void {
  if ((publish ?? levelBadge) === undefined) return;
  if (publish !== undefined && implementation === undefined)
    throw usageError("--publish needs the name of the implementation", hint);
  if (levelBadge !== undefined && levelsShownBy(profile).length === 0)
    throw usageError(`--level-badge: no level requires the profile ${profile}`, "Use core or full.");
  const bare = expected.find(({ reason, owner, until }) => !(reason && owner && until));
  if (bare !== undefined)
    throw usageError(
      `the expected failure ${bare.id} lacks a reason, an owner or a last day (until)`,
      "Add them to the list: others read them as an exception from a level.",
    );
}
