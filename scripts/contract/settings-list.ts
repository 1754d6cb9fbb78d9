import schema from "../../contract/config/contract.schema.json" with { type: "json" };
import type { Need } from "../../contract/engine/check.ts";

/** A setting that checks need. */
export interface Setting {
  need: Need;
  description: string;
}

interface Node {
  description: string;
  properties?: Record<string, Node>;
}
const top: Record<string, Node> = schema.properties;

/** Settings with nested settings that checks need one by one. */
const sections = ["keys", "domains", "lists", "fields", "contacts", "messages", "hooks"] as const;
/** Settings of the run, not of the server, and the one that sets attachmentLink and attachmentHash. */
const notFixtures = [
  "$schema",
  "baseUrl",
  "profile",
  "without",
  "deadlines",
  "expectedFailures",
  "attachmentServer",
];

/** All settings that checks may need, in the order of the schema. */
export const allSettings: readonly Setting[] = Object.entries(top).flatMap(([name, node]) => {
  if (notFixtures.includes(name)) return [];
  if (!(sections as readonly string[]).includes(name))
    return [{ need: name as Need, description: node.description }];
  return Object.entries(node.properties ?? {})
    .filter(([inner]) => inner !== "ofRole")
    .map(([inner, { description }]) => ({ need: `${name}.${inner}` as Need, description }));
});

/** The description of a setting by its path, such as `keys.full`. */
export const descriptionOf = (path: string): string => {
  const [name = "", inner] = path.split(".");
  const node = inner === undefined ? top[name] : top[name]?.properties?.[inner];
  return node?.description ?? "";
};
