import { type ISpectralDiagnostic, type RulesetDefinition, Spectral } from "@stoplight/spectral-core";
import type { Path } from "./document/values.ts";

/** A name for the document in memory: Spectral follows `$ref`s back to their places only where there is one. */
const source = "/bundle.json";

/** What Spectral found at a place of the bundle. `severity` counts as in editors: 0 error, 1 warning. */
export type SpectralFinding = Pick<ISpectralDiagnostic, "message" | "severity"> & {
  rule: string;
  path: Path;
};

const nowhere = { range: { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } } };

/** The document as Spectral takes it, without turning it into text and back. */
const parsed = (document: object): Parameters<Spectral["run"]>[0] => ({
  parsed: { data: document, ast: document, lineMap: [], diagnostics: [] },
  getLocationForJsonPath: () => nowhere,
  source,
});

/** Runs Spectral with the ruleset on a bundle in memory. */
export async function runSpectral(ruleset: RulesetDefinition, document: object): Promise<SpectralFinding[]> {
  const spectral = new Spectral();
  spectral.setRuleset(ruleset);
  const results = await spectral.run(parsed(document));
  return results.map(({ code, message, severity, path }) => ({
    rule: String(code),
    message,
    severity,
    path: [...path],
  }));
}
