import { type RulesetDefinition, Spectral } from "@stoplight/spectral-core";
import { pointerOf } from "../../scripts/document/json-pointer.ts";

/** A finding of Spectral; `pointer` is a JSON Pointer into the bundle. */
export interface SpectralFinding {
  rule: string;
  severity: "error" | "warn";
  message: string;
  pointer: string;
}

/** A name for the document in memory: without one, Spectral does not trace `$ref`s back to where they are. */
const source = "/bundle.json";

const nowhere = { range: { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } } };

/** The document as Spectral takes it, without a round trip through text. */
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
    severity: severity === 0 ? "error" : "warn",
    message,
    pointer: pointerOf(path),
  }));
}
