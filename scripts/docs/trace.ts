import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { UserError } from "../../lib/user-error.ts";
import type { RequirementRow, UnspecifiedRow } from "../document/types.ts";
import { generatedFolder } from "../paths.ts";

/** A promise with what verifies it, as `npm run trace` wrote it down. */
export interface TracedRequirement extends Omit<RequirementRow, "excluded"> {
  topic: string;
  checks: { law: string; file: string }[];
  /** Why no check verifies it; null where one does. */
  excluded: string | null;
}

/** The part of `generated/trace.json` that the reference shows. */
export interface Trace {
  requirements: TracedRequirement[];
  unspecified: UnspecifiedRow[];
}

/** @throws Failure with exit status 2 when there is none */
export async function readTrace(): Promise<Trace> {
  try {
    return JSON.parse(await readFile(join(generatedFolder, "trace.json"), "utf8")) as Trace;
  } catch (cause) {
    throw new UserError("there is no table of the requirements: generated/trace.json cannot be read", {
      hint: "Run `npm run generate` first.",
      exitCode: 2,
      cause,
    });
  }
}
