import { existsSync, readdirSync, statSync } from "node:fs";
import { join, sep } from "node:path";
import { displayPath } from "../../../lib/files.ts";
import type { Problem } from "../../../lib/schema-errors.ts";
import type { SiteConfig } from "./site-config.ts";

/**
 * Why `out` cannot be the output folder: a build replaces all of it.
 *
 * @param files that the configuration names
 */
export function unsafeOutput({ out, folder }: SiteConfig, files: readonly string[]): Problem[] {
  const problem = (message: string): Problem[] => [
    { path: ["out"], message: `${message} (got ${displayPath(out)})` },
  ];
  const own = files.find((file) => contains(out, file));
  if (contains(out, folder)) return problem("would replace the folder of the configuration");
  if (contains(out, process.cwd())) return problem("would replace the current folder");
  if (own !== undefined) return problem(`would replace ${displayPath(own)}, which the site is built from`);
  if (!existsSync(out)) return [];
  if (!statSync(out).isDirectory()) return problem("names a file, not a folder");
  const isForeign = readdirSync(out).length > 0 && !existsSync(join(out, "404.html"));
  return isForeign ? problem("names a folder with other files, which the build would replace") : [];
}

const contains = (folder: string, path: string): boolean =>
  `${path}${sep}`.startsWith(folder.endsWith(sep) ? folder : folder + sep);
