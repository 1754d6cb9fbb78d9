import { accepted, changeRecords, isMessageLookup } from "./email.ts";
import { iso } from "./history.ts";
import { changeResponses, type Mutant } from "./mutant.ts";
import { both, isMoved, records } from "./past.ts";

export const ofShape: Mutant[] = [
  changeRecords("LOOK-1", "the record is in data", (record) => ({ data: record })),
  changeRecords("LOOK-1", "the record is in an array", (record) => [record]),
];

export const ofFinding: Mutant[] = [
  changeResponses("LOOK-23", "a nonexistent id returns an empty success", (response, request) =>
    isMessageLookup(request) && response.status === 404 ? accepted(response, 200, {}) : undefined,
  ),
];

export const ofTimes: Mutant[] = [
  records(
    "LOOK-9",
    "a message that is moved and canceled shows its first time",
    both(isMoved, ({ canceled }) => canceled),
    (record, { times: [first = 0] }) =>
      typeof record.scheduled_at === "string" ? { ...record, scheduled_at: iso(first) } : record,
  ),
];
