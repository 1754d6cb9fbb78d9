import type { Attachment } from "../domain/records.ts";
import type { Download } from "./download.ts";

/** Files with their bytes, or what is wrong with their links, by the name of the field. */
export type FetchedLinks =
  | { attachments: Attachment[] }
  | { faults: Record<string, string>; tooLarge: boolean };

/**
 * Downloads the files that are given by link, one after the other, so that together they are never larger than there is room for.
 * What was given with its bytes stays as it is.
 *
 * @param download how to get one file, of at most this many bytes
 * @param room how many bytes all downloaded files may have together
 */
export async function fetchLinks(
  attachments: readonly Attachment[],
  download: (link: string, maxBytes: number) => Promise<Download>,
  room: number,
): Promise<FetchedLinks> {
  const fetched: Attachment[] = [];
  const faults: Record<string, string> = {};
  let left = room;
  for (const [index, attachment] of attachments.entries()) {
    if (!("path" in attachment)) {
      fetched.push(attachment);
      continue;
    }
    const { path, ...about } = attachment;
    const result = await download(path, left);
    if ("fault" in result) {
      faults[`attachments.${index}.path`] = result.fault;
      if (result.tooLarge) return { faults, tooLarge: true };
      continue;
    }
    left -= result.bytes.length;
    fetched.push({ ...about, content: Buffer.from(result.bytes).toString("base64") });
  }
  return Object.keys(faults).length === 0 ? { attachments: fetched } : { faults, tooLarge: false };
}
