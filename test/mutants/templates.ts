import { acceptsInBatch, acceptsSend, messagesIn } from "./email.ts";
import { changeResponses, type Mutant, type MutantRequest } from "./mutant.ts";
import { errorResponse, isSuccess, type Json, objectOf } from "./newsletter.ts";

/** Replaces an id by that of the published template. */
const published =
  (isReplaced: (id: string) => boolean) =>
  (message: Json): Json | undefined =>
    isReplaced(String(message.template_id)) ? { ...message, template_id: "order-ready" } : undefined;

const draft = published((id) => id === "draft");
const unknown = published((id) => id.startsWith("no-template"));

const namesDraft = ({ body }: MutantRequest): boolean =>
  [objectOf(body), ...messagesIn(body)].some(({ template_id }) => template_id === "draft");

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
  changeResponses("SEND-14", "an unpublished template returns 500", (response, request) =>
    namesDraft(request) && !isSuccess(response) ? errorResponse(500, "internal_error") : undefined,
  ),
];
