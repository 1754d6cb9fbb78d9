import type { Services } from "../api/context.ts";
import { type ErrorResponse, fieldErrors, invalidFields } from "../api/error-response.ts";
import type { Draft } from "../domain/new-message.ts";
import { largestMessage, messageSize } from "../domain/size.ts";
import { fetchLinks } from "../mail/links.ts";
import { tooLarge } from "../middleware/body.ts";

/** Downloads the files that a message has by link only, where downloads are on, and puts them in their places. */
export async function fetchFiles(
  draft: Draft,
  { download }: Services,
): Promise<ErrorResponse<"413.send_rejected" | "422.invalid_request"> | undefined> {
  const { content } = draft;
  if (download === undefined || !content.attachments.some((attachment) => "path" in attachment))
    return undefined;
  const fetched = await fetchLinks(content.attachments, download, largestMessage - messageSize(content));
  if ("attachments" in fetched) {
    content.attachments = fetched.attachments;
    return undefined;
  }
  return fetched.tooLarge ? tooLarge : invalidFields(fieldErrors(Object.entries(fetched.faults)));
}
