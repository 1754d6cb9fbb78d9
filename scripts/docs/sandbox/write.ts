import { cp, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isPackaged, root } from "../../common/paths.ts";
import { readBundle } from "../../document/read-bundle.ts";
import { baseUrlOf } from "../../document/requests.ts";
import type { OpenApiDocument } from "../../document/types.ts";
import { tryData } from "./data.ts";

/** The scripts and the style in the installed package, which has no sources. */
const compiled = join(root, "dist/try");

/** Writes the scripts, the style and the data of "Try it". */
export async function writeTry(document: OpenApiDocument, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  if (isPackaged) await cp(compiled, folder, { recursive: true });
  else await (await import("./build.ts")).buildTry(folder);
  const baseUrl = baseUrlOf(document);
  // No server is at the base URL of the bundle.
  const isPlaceholder = baseUrl === baseUrlOf(await readBundle());
  await writeFile(join(folder, "data.json"), tryData(document, isPlaceholder ? undefined : baseUrl));
}
