import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { UserError } from "../../../lib/user-error.ts";
import type { RequirementRow } from "../../document/types.ts";
import { generatedFolder } from "../../paths.ts";

/** A requirement with the checks that verify it. */
export interface TracedRequirement extends Omit<RequirementRow, "excluded"> {
  topic: string;
  checks: { law: string; file: string }[];
  /** Why no check verifies it; null if one does. */
  excluded: string | null;
}

/** The part of `generated/trace.json` that the site shows. */
export interface Trace {
  requirements: TracedRequirement[];
}

/** @throws UserError with exit code 2 if `generated/trace.json` cannot be read */
export async function readTrace(): Promise<Trace> {
  try {
    return JSON.parse(await readFile(join(generatedFolder, "trace.json"), "utf8")) as Trace;
  } catch (cause) {
    throw new UserError("cannot read generated/trace.json", {
      hint: "Run `npm run generate` first.",
      exitCode: 2,
      cause,
    });
  }
}
