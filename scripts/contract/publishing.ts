import type { ExpectedFailure } from "../../contract/config/load.ts";
import type { Profile } from "../../contract/engine/settings.ts";
import { levelsShownBy } from "../../contract/report/levels.ts";
import { usageError } from "../../lib/user-error.ts";
import type { RunOptions } from "./options.ts";

/**
 * Checks that a run can be published: it has a name, its profile shows a level, and others can read who will fix what fails, and by when.
 * @throws UserError with exit code 2 if not
 */
export function assertPublishable(
  { publish, levelBadge }: Pick<RunOptions, "publish" | "levelBadge">,
  { implementation, profile }: { implementation?: unknown; profile: Profile },
  expected: readonly ExpectedFailure[],
  hint: string,
): void {
  if ((publish ?? levelBadge) === undefined) return;
  if (publish !== undefined && implementation === undefined)
    throw usageError("--publish needs the name of the implementation", hint);
  if (levelBadge !== undefined && levelsShownBy(profile).length === 0)
    throw usageError(`--level-badge: no level requires the profile ${profile}`, "Use core or full.");
  const incomplete = expected.find(({ reason, owner, until }) => !(reason && owner && until));
  if (incomplete !== undefined)
    throw usageError(
      `the expected failure ${incomplete.id} lacks a reason, an owner or a last day (until)`,
      "Add them to the list: others read them as an exception from a level.",
    );
}
