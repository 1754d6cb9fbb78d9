import type { Draft } from "../domain/new-message.ts";
import { largestMessage, messageSize } from "../domain/size.ts";
import type { Parts } from "../exchange.ts";
import { fetchLinks } from "../mail/links.ts";
import { tooLarge } from "../middleware/body.ts";
import { fieldErrors, type Refusal, refuseFields } from "../refusal.ts";

/** Downloads the files that a message has by link only, where downloads are on, and puts them in their places. */
export async function fetchFiles(
  draft: Draft,
  { download }: Parts,
): Promise<Refusal<"413.send_rejected" | "422.invalid_request"> | undefined> {
  const { content } = draft;
  if (download === undefined || !content.attachments.some((attachment) => "path" in attachment))
    return undefined;
  const fetched = await fetchLinks(content.attachments, download, largestMessage - messageSize(content));
  if ("attachments" in fetched) {
    content.attachments = fetched.attachments;
    return undefined;
  }
  return fetched.tooLarge ? tooLarge : refuseFields(fieldErrors(Object.entries(fetched.faults)));
}
