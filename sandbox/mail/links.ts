import type { Download } from "../api/context.ts";
import type { Attachment } from "../domain/records.ts";

/** Attachments with their content, or what is wrong with their links by field name. */
export type FetchedLinks =
  | { attachments: Attachment[] }
  | { problems: Record<string, string>; tooLarge: boolean };

/**
 * Downloads the attachments that are given by link, one after the other, so that their total size stays within the limit.
 *
 * @param totalBytes the limit of all downloaded files together
 */
export async function fetchLinks(
  attachments: readonly Attachment[],
  download: Download,
  totalBytes: number,
): Promise<FetchedLinks> {
  const fetched: Attachment[] = [];
  const problems: Record<string, string> = {};
  let remaining = totalBytes;
  for (const [index, attachment] of attachments.entries()) {
    if (!("path" in attachment)) {
      fetched.push(attachment);
      continue;
    }
    const { path, ...properties } = attachment;
    const result = await download(path, remaining);
    if ("problem" in result) {
      problems[`attachments.${index}.path`] = result.problem;
      if (result.tooLarge) return { problems, tooLarge: true };
      continue;
    }
    remaining -= result.bytes.length;
    fetched.push({ ...properties, content: Buffer.from(result.bytes).toString("base64") });
  }
  return Object.keys(problems).length === 0 ? { attachments: fetched } : { problems, tooLarge: false };
}
