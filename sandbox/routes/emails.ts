import type { Outcome, RequestContext, Services } from "../api/context.ts";
import { invalidFields } from "../api/error-response.ts";
import { largestMessage, requestedSize } from "../domain/size.ts";
import { writeTime } from "../domain/times.ts";
import { tooLarge } from "../middleware/body.ts";
import { withoutSurplus } from "../validation/bulk.ts";
import { sendFaults } from "../validation/send.ts";
import { accept, checkSending, fetchFiles } from "./accept.ts";
import { draftOf } from "./draft.ts";

/** POST /api/v1/emails: sends or schedules a message. */
export async function sendEmail(context: RequestContext, services: Services): Promise<Outcome<"sendEmail">> {
  const body = context.body as Record<string, unknown>;
  const { bytes } = context;
  // The size comes first, since validating megabytes is slow. Only a large body can hold a large message.
  if (bytes > largestMessage && requestedSize(body) > largestMessage) return tooLarge;
  const draft = draftOf(body, sendFaults(withoutSurplus(body, bytes)), context, services, "");
  if (!("recipients" in draft)) return invalidFields(draft);
  const { ids, download } = services;
  const error =
    checkSending(draft, context, services, "") ?? (download && (await fetchFiles(draft, download)));
  if (error !== undefined) return error;
  return await accept(context, services, [draft], {
    idOf: ({ scheduledAt }) => (scheduledAt === null ? ids.message(context.now) : ids.scheduled(context.now)),
    render([accepted]) {
      const { message, suppressed = [] } = accepted ?? {};
      const { id, scheduledAt = null, to } = message ?? {};
      return scheduledAt === null
        ? { id, to, suppressed }
        : { id, scheduled_at: writeTime(scheduledAt), suppressed };
    },
  });
}
