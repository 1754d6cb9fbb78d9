import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { UserError } from "../../lib/user-error.ts";
import { generatedFolder, root } from "../paths.ts";
import { redocly } from "./redocly.ts";

/** Writes a single-page reference by Redocly to `file`, an absolute path. The page loads nothing from other hosts. */
export async function writeRedocPage(file: string): Promise<void> {
  const document = join(generatedFolder, "openapi.json");
  const { status, complaint } = await redocly(
    ["build-docs", document, "--output", file, "--inlineBundle"],
    root,
  );
  if (status !== 0) throw new UserError(`Redocly cannot build redoc.html: ${complaint.trim()}`);
  await writeFile(file, withoutLogo(await readFile(file, "utf8")));
}

const logo = "https://cdn.redoc.ly/redoc/logo-mini-full.svg";

/** Replaces a logo from another host by its text. */
function withoutLogo(page: string): string {
  const name = `<svg xmlns="http://www.w3.org/2000/svg" width="46" height="14"><text y="11" font-family="sans-serif" font-size="11">Redocly</text></svg>`;
  return page.replaceAll(logo, `data:image/svg+xml,${encodeURIComponent(name)}`);
}
