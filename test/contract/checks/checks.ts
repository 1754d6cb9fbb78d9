import { boundsOf, onServer } from "../bounds/bounds.ts";
import { ofBatch, ofContact, ofReschedule, ofSend, ofUnsubscribe } from "../bounds/laws.ts";
import type { Check } from "../engine/check.ts";
import type { Settings } from "../engine/settings.ts";
import { idempotency } from "./idempotency.ts";

/** Every check of a server that keeps state, in the order of the requirements' topics. */
export function checksOfServer({ fixtures, runId }: Pick<Settings, "fixtures" | "runId">): Check[] {
  const way = onServer(fixtures, runId);
  return [
    ...idempotency,
    ...boundsOf("sendEmail", ofSend, way),
    ...boundsOf("sendBatch", ofBatch, way),
    ...boundsOf("rescheduleEmail", ofReschedule, way),
    ...boundsOf("upsertContact", ofContact, way),
    ...boundsOf("unsubscribeContact", ofUnsubscribe, way),
  ];
}
