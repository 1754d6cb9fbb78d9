import type { RuleDefinition } from "@stoplight/spectral-core";
import { headerOf, type PlacedResponse } from "../../scripts/document/responses.ts";
import { type Node, nodeOf, type Path } from "../../scripts/document/values.ts";

/** A finding of a rule: where, and what to do. */
export interface RuleFinding {
  path: Path;
  message: string;
}

export const finding = (path: Path, message: string): RuleFinding => ({ path, message });

/** A convention of this API. */
export interface Rule {
  /** What the rule requires. */
  description: string;
  /** Yields the findings in the document; `$ref`s are not resolved. */
  check: (document: Node) => Iterable<RuleFinding>;
}

/** A place of the document; operations have their path in it as `location`. */
type Place = { path: Path } | { location: Path };

/** A rule for each of the places of a kind. A finding without a path is at the place itself. */
export const ruleForEach = <Given extends Place>(
  places: (document: Node) => Given[],
  rule: {
    description: string;
    check: (place: Given, document: Node) => Iterable<RuleFinding | string>;
  },
): Rule => ({
  description: rule.description,
  *check(document) {
    for (const place of places(document))
      for (const found of rule.check(place, document))
        if (typeof found === "object") yield found;
        else yield finding("location" in place ? place.location : place.path, found);
  },
});

/**
 * A response has the header if it is expected to, and else has not.
 * @param why a response that is not expected to have it must not
 */
export function* onlyWhere(
  document: Node,
  response: PlacedResponse,
  name: string,
  isExpected: boolean,
  why: string,
  required = true,
): Iterable<RuleFinding> {
  const { path, name: owner } = response;
  const header = headerOf(document, response, name);
  if (isExpected && header?.value.required !== required)
    yield finding(path, `Add the header ${name} with required: ${required} to ${owner}.`);
  if (!isExpected && header !== undefined)
    yield finding([...path, "headers"], `Remove the header ${name} from ${owner}: ${why}.`);
}

export const toSpectral = ({ description, check }: Rule): RuleDefinition => ({
  description,
  given: "$",
  severity: "error",
  message: "{{error}}",
  resolved: false,
  // biome-ignore lint/suspicious/noThenProperty: Spectral's name for the function of a rule
  then: { function: (document) => [...check(nodeOf(document))] },
});
