import type { KnownFault } from "./faults/changes.ts";
import { errorFaults } from "./faults/errors.ts";
import { headerFaults } from "./faults/headers.ts";
import { narrowFaults } from "./faults/narrow.ts";
import { recordFaults } from "./faults/records.ts";
import { requestFaults } from "./faults/requests.ts";
import { wholeFaults } from "./faults/wholes.ts";
import type { ProxyFault } from "./proxy.ts";

/** Every known fault, in groups of which one server can have all at once without that one hides another. */
export const faultGroups: Record<string, KnownFault[]> = {
  "answers that are wrong in a part": [...errorFaults, ...headerFaults, ...recordFaults],
  "answers in which other faults would not show": wholeFaults,
  "requests that are treated otherwise": requestFaults,
  "requests that are turned away": narrowFaults,
};

/** A record without its subject. */
export const lostSubject: ProxyFault = recordFaults.find(({ ids }) => ids.includes("LOOK-5")) ?? {};

/** A server with several faults: each changes what the ones before have left. */
export const together = (faults: readonly ProxyFault[]): ProxyFault => ({
  before: (asked) => {
    for (const { before } of faults) before?.(asked);
  },
  after: (given, asked) => {
    for (const { after } of faults) after?.(given, asked);
  },
});
