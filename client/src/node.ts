import { readFile } from "node:fs/promises";
import { basename, extname } from "node:path";
import type { ContentAttachment } from "../../generated/client/models.ts";
import { type AttachOptions, attach } from "./attach.ts";

/** Media types by file extension. */
const mediaTypes: Record<string, string> = {
  ".csv": "text/csv",
  ".docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  ".gif": "image/gif",
  ".html": "text/html",
  ".ics": "text/calendar",
  ".jpeg": "image/jpeg",
  ".jpg": "image/jpeg",
  ".json": "application/json",
  ".pdf": "application/pdf",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain",
  ".webp": "image/webp",
  ".xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  ".zip": "application/zip",
};

/**
 * Creates an attachment from a local file. Default: the name and the media type of the path.
 * @throws any error of reading the file
 */
export async function attachFile(
  path: string | URL,
  options: AttachOptions = {},
): Promise<ContentAttachment> {
  const name = path instanceof URL ? decodeURIComponent(path.pathname) : path;
  const { filename = basename(name), contentType = mediaTypes[extname(name).toLowerCase()] } = options;
  return attach(await readFile(path), { ...options, filename, contentType });
}
