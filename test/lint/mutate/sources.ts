import { UserError } from "../../../lib/user-error.ts";
import { lint } from "../../../scripts/lint/lint.ts";
import { onCopy } from "../../scripts/copies.ts";
import { sources } from "../mutations/sources.ts";
import type { DefectOutcome } from "./report.ts";

/** Tries every defect of the sources on a copy of them. */
export async function sourceOutcomes(): Promise<DefectOutcome[]> {
  const outcomes: DefectOutcome[] = [];
  for (const [name, { by, edit }] of Object.entries(sources)) {
    const found = await onCopy("document", async (copy) => {
      await edit(copy);
      const findings = await lint(copy.source);
      return findings.map(({ rule }) => rule);
    }).catch((error: unknown) => {
      if (error instanceof UserError) return [error.message];
      throw error;
    });
    // Either the message of the error or the rule of a finding must be the expected one.
    const expected = found.find((text) => by.test(text));
    const foundBy = expected === undefined ? found : ["sources", ...found];
    outcomes.push({ topic: "sources", name, by: "sources", foundBy });
  }
  return outcomes;
}
