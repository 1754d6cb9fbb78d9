import schema from "../../test/contract/config/contract.schema.json" with { type: "json" };
import type { Need } from "../../test/contract/engine/check.ts";

/** A setting that checks need, as it is told to people. */
export interface Setting {
  need: Need;
  /** What it is for, in sentences. */
  description: string;
}

interface Node {
  description: string;
  properties?: Record<string, Node>;
}
const top: Record<string, Node> = schema.properties;

/** The settings that have settings in them, each of which some check needs for itself. */
const sections = ["keys", "domains", "lists", "fields", "contacts", "hooks"] as const;
/** They are not what a server has, but where it is and how it is tried. */
const notFixtures = ["$schema", "baseUrl", "profile", "without", "deadlines", "expectedFailures"];

/** Everything that checks may need, in the order of the schema. */
export const allSettings: readonly Setting[] = Object.entries(top).flatMap(([name, node]) => {
  if (notFixtures.includes(name)) return [];
  if (!(sections as readonly string[]).includes(name))
    return [{ need: name as Need, description: node.description }];
  return Object.entries(node.properties ?? {})
    .filter(([inner]) => inner !== "ofRole")
    .map(([inner, { description }]) => ({ need: `${name}.${inner}` as Need, description }));
});

/** What the schema says of a setting at the top. */
export const descriptionOf = (name: string): string => top[name]?.description ?? "";
