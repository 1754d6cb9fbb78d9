import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../../temporary-folder.ts";

/** A new folder with these files, gone when the test is over. */
export function folderWith(files: Record<string, string> = {}): string {
  const folder = temporaryFolder();
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

/** What is thrown, as a person sees it: the message, then the hint. */
export async function complaint(work: Promise<unknown>): Promise<{ text: string; exitCode?: number }> {
  const error: unknown = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof Error)) throw new Error("the configuration was accepted");
  const { hint, exitCode } = error as Error & { hint?: string; exitCode?: number };
  const text = [error.message, hint].filter((line) => line !== undefined).join("\n");
  return { text, ...(exitCode === undefined ? {} : { exitCode }) };
}
