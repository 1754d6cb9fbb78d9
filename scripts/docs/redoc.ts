import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { UserError } from "../../lib/user-error.ts";
import { generatedFolder, root } from "../paths.ts";
import { redocly } from "../redocly.ts";

/**
 * One page by Redocly with everything in it, for those who know that look. It asks nothing of other hosts.
 *
 * @param file where it is written, absolute
 */
export async function writeRedocPage(file: string): Promise<void> {
  const document = join(generatedFolder, "openapi.json");
  const { status, complaint } = await redocly(
    ["build-docs", document, "--output", file, "--inlineBundle"],
    root,
  );
  if (status !== 0) throw new UserError(`Redocly could not build its page: ${complaint.trim()}`);
  await writeFile(file, withoutLogo(await readFile(file, "utf8")));
}

const logo = "https://cdn.redoc.ly/redoc/logo-mini-full.svg";

/** The page with its maker's name written instead of a picture from another host. */
function withoutLogo(page: string): string {
  const name = `<svg xmlns="http://www.w3.org/2000/svg" width="46" height="14"><text y="11" font-family="sans-serif" font-size="11">Redocly</text></svg>`;
  return page.replaceAll(logo, `data:image/svg+xml,${encodeURIComponent(name)}`);
}
