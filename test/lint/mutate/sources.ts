import { UserError } from "../../../lib/user-error.ts";
import { lint } from "../../../scripts/lint.ts";
import { onCopy } from "../../scripts/copies.ts";
import { sources } from "../mutations/sources.ts";
import type { DefectOutcome } from "./report.ts";

/** Tries every defect of the sources on a copy of them. */
export async function sourceOutcomes(): Promise<DefectOutcome[]> {
  const outcomes: DefectOutcome[] = [];
  for (const [name, { by, edit }] of Object.entries(sources)) {
    const said = await onCopy("document", async (copy) => {
      await edit(copy);
      const findings = await lint(copy.source);
      return findings.map(({ rule }) => rule);
    }).catch((error: unknown) => {
      if (error instanceof UserError) return [error.message];
      throw error;
    });
    // A failure is noticed by what it says, a finding by its rule: either must be the expected one.
    const met = said.find((text) => by.test(text));
    const noticed = met === undefined ? said : ["sources", ...said];
    outcomes.push({ topic: "sources", name, by: "sources", noticed });
  }
  return outcomes;
}
