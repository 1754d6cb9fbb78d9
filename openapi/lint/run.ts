import { type RulesetDefinition, Spectral } from "@stoplight/spectral-core";
import { pointerOf } from "../../scripts/document/json-pointer.ts";

/** A name for the document in memory: without one, Spectral does not report the paths of `$ref` targets. */
const source = "/bundle.json";

const nowhere = { range: { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } } };

/** The document as Spectral takes it, without a round trip through text. */
const parsed = (document: object): Parameters<Spectral["run"]>[0] => ({
  parsed: { data: document, ast: document, lineMap: [], diagnostics: [] },
  getLocationForJsonPath: () => nowhere,
  source,
});

/** Runs Spectral with the ruleset on a bundle in memory. Findings have a JSON Pointer into the bundle. */
export async function runSpectral(ruleset: RulesetDefinition, document: object) {
  const spectral = new Spectral();
  spectral.setRuleset(ruleset);
  const examples = spectral.ruleset?.rules["oas3-valid-media-example"];
  if (examples !== undefined)
    // biome-ignore lint/suspicious/noThenProperty: Spectral's name for the functions of a rule
    examples.then = examples.then.map((then) => ({ ...then, function: once(then.function) }));
  return (await spectral.run(parsed(document))).map(({ code, message, severity, path }) => ({
    rule: String(code),
    severity: severity === 0 ? ("error" as const) : ("warn" as const),
    message,
    pointer: pointerOf(path),
  }));
}

type RuleFunction = NonNullable<Spectral["ruleset"]>["rules"][string]["then"][number]["function"];

/**
 * The function, called once for each node. A response that operations share is in the resolved document at every `$ref`
 * to it, and most of the time would be spent on compiling its schema again.
 */
function once(check: RuleFunction): RuleFunction {
  const seen = new WeakSet<object>();
  return (node, ...rest) => {
    const media = node as unknown as object;
    if (seen.has(media)) return;
    seen.add(media);
    return check(node, ...rest);
  };
}
