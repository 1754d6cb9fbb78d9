import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { publishedDocument } from "../../scripts/docs/config/document.ts";
import { siteConfig } from "../../scripts/docs/config/site-config.ts";
import type { OpenApiDocument } from "../../scripts/document/types.ts";
import { temporaryFolder } from "../temporary-folder.ts";

/** Writes the files into a folder of their own, and runs `work` with it. */
export async function withFiles<Result>(
  files: Readonly<Record<string, string>>,
  work: (folder: string) => Result | Promise<Result>,
): Promise<Result> {
  const folder = temporaryFolder();
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  return work(folder);
}

/** The document with an overlay of these actions. */
export const changed = (...actions: object[]): Promise<OpenApiDocument> =>
  withFiles(
    {
      "overlay.json": JSON.stringify({ overlay: "1.0.0", info: { title: "Changes", version: "1" }, actions }),
    },
    (folder) => publishedDocument(siteConfig({ overlay: join(folder, "overlay.json") })),
  );
