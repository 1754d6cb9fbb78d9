import type { RuleDefinition } from "@stoplight/spectral-core";
import { type Node, nodeOf, type Path } from "../../scripts/document/values.ts";

/** A finding of a rule: where, and what to do. */
export interface RuleFinding {
  path: Path;
  message: string;
}

/** A convention of this API, checked on every node that the JSON path `given` selects in the bundle. */
export interface Rule {
  /** What the rule requires. */
  description: string;
  /** Default: the document as a whole. */
  given?: string;
  /** Yields the findings for a node, given its path and the document; `$ref`s are not resolved. */
  check: (node: Node, place: { path: Path; document: Node }) => Iterable<RuleFinding>;
}

/** The rule in the form of Spectral. */
export const toSpectral = ({ description, given = "$", check }: Rule): RuleDefinition => ({
  description,
  given,
  severity: "error",
  message: "{{error}}",
  resolved: false,
  // biome-ignore lint/suspicious/noThenProperty: Spectral's name for the function of a rule
  then: {
    function: (node: unknown, _options: unknown, { path, document }) => [
      ...check(nodeOf(node), { path: [...path], document: nodeOf(document.data) }),
    ],
  },
});
