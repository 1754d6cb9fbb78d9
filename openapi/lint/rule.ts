import type { RuleDefinition } from "@stoplight/spectral-core";
import { type Node, nodeOf, type Path } from "../../scripts/document/values.ts";

/** A finding of a rule: where, and what to do. */
export interface RuleFinding {
  path: Path;
  message: string;
}

/**
 * One convention of this API. `check` is called for every node that the JSON path `given` selects in the bundle
 * (`$ref`s in their places) with the node, and with the place of the node and the whole document.
 */
export interface Rule {
  /** What the rule requires. */
  description: string;
  severity: "error" | "warn";
  given: string;
  check: (node: Node, place: { path: Path; document: Node }) => Iterable<RuleFinding>;
}

/** The rule in the form that Spectral runs. */
export const toSpectral = ({ check, ...rule }: Rule): RuleDefinition => ({
  ...rule,
  message: "{{error}}",
  resolved: false,
  // biome-ignore lint/suspicious/noThenProperty: the name that Spectral gives to what a rule runs
  then: {
    function: (node: unknown, _options: unknown, { path, document }) => [
      ...check(nodeOf(node), { path: [...path], document: nodeOf(document.data) }),
    ],
  },
});
