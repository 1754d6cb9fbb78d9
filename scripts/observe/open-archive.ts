import { readFile } from "node:fs/promises";
import { gunzipSync } from "node:zlib";
import { strFromU8, unzipSync } from "fflate";
import { decodeText } from "../../lib/files.ts";
import { usageError } from "../../lib/user-error.ts";
import type { Attachment } from "./read-har.ts";

/** The most bytes that compressed archives may have: the longest text. */
const most = 512 * 1024 * 1024;

/**
 * The text of an HTTP archive, which may be compressed (`.har.gz`), or in a ZIP archive with its bodies (`.har.zip` of Playwright).
 * @throws UserError with exit code 2 if a ZIP archive has none of a usual size
 */
export async function openArchive(file: string): Promise<{ text: string; attachment?: Attachment }> {
  const bytes = await readFile(file);
  const start = bytes.toString("latin1", 0, 2);
  if (start === "\u001f\u008b") return { text: gunzipSync(bytes, { maxOutputLength: most }).toString() };
  if (start !== "PK") return { text: decodeText(bytes) };
  let size = 0;
  const filter = ({ originalSize }: { originalSize: number }): boolean => {
    size += originalSize;
    return size <= most;
  };
  const parts = new Map(Object.entries(unzipSync(bytes, { filter })));
  const attachment: Attachment = (name) => {
    const part = parts.get(name);
    return part && strFromU8(part);
  };
  const text = attachment([...parts.keys()].find((name) => name.endsWith(".har")) ?? "");
  if (text !== undefined) return { text, attachment };
  throw usageError(`${file} has no HTTP archive`, "It needs a .har file of up to 512 MiB.");
}
