import { changeRecords } from "./email.ts";
import type { Mutant, RequirementId } from "./mutant.ts";
import type { Json } from "./newsletter.ts";

/** Changes the final records of messages to a simulated recipient. */
const of = (
  local: string,
  requirement: RequirementId,
  title: string,
  change: (record: Json) => Json,
  inBatch = false,
): Mutant =>
  changeRecords(requirement, inBatch ? `${title}, in a batch` : title, (record) =>
    String(record.to).includes(`${local}@`) && String(record.id).startsWith("sched_") === inBatch
      ? change(record)
      : record,
  );

const isOver = ({ status }: Json): boolean => status !== "sent";

/** One mutant for single messages and one for batches. */
export const simulatorMutants: Mutant[] = [false, true].flatMap((inBatch) => [
  of(
    "success",
    "SIM-1",
    "a message to success is delayed",
    (record) => (isOver(record) ? { ...record, status: "delayed", delivered_at: null } : record),
    inBatch,
  ),
  of(
    "bounce",
    "SIM-2",
    "a message to bounce is delivered first",
    (record) => (record.status === "bounced" ? { ...record, delivered_at: record.bounced_at } : record),
    inBatch,
  ),
  of(
    "complaint",
    "SIM-3",
    "a message to complaint is never delivered",
    (record) => (isOver(record) ? { ...record, delivered_at: null } : record),
    inBatch,
  ),
  of(
    "suppressionlist",
    "SIM-4",
    "a message to suppressionlist has delivered_at",
    (record) => (isOver(record) ? { ...record, delivered_at: record.bounced_at } : record),
    inBatch,
  ),
]);
