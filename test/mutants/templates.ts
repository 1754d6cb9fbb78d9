import { acceptsInBatch, acceptsSend } from "./email.ts";
import type { Mutant } from "./mutant.ts";
import type { Json } from "./newsletter.ts";

/** Replaces an id by that of the published template. */
const published =
  (isReplaced: (id: string) => boolean) =>
  (message: Json): Json | undefined =>
    isReplaced(String(message.template_id)) ? { ...message, template_id: "order-ready" } : undefined;

const draft = published((id) => id === "draft");
const unknown = published((id) => id.startsWith("no-template"));

/** Unknown and unpublished templates. */
export const templateMutants: Mutant[] = [
  acceptsInBatch("SEND-14", "an unknown template", unknown),
  acceptsSend("SEND-14", "an unpublished template", (body) =>
    "scheduled_at" in body ? undefined : draft(body),
  ),
  acceptsInBatch("SEND-14", "an unpublished template", draft),
  acceptsSend("SCHED-6", "a scheduled send from an unpublished template", (body) =>
    "scheduled_at" in body ? draft(body) : undefined,
  ),
];
