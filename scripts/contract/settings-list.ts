import schema from "../../contract/config/contract.schema.json" with { type: "json" };
import type { Need } from "../../contract/engine/check.ts";

interface Node {
  description: string;
  examples?: readonly unknown[];
  properties?: Record<string, Node>;
}

/** A setting that checks need. */
export interface Setting extends Pick<Node, "description" | "examples"> {
  need: Need;
}

/** Settings with nested settings that checks need one by one. */
const sections = ["keys", "domains", "domains.ofRole", "lists", "fields", "contacts", "messages", "hooks"];
/** Settings of the run, not of the server, and the one that sets attachmentLink and attachmentHash. */
const notFixtures =
  "$schema baseUrl implementation profile without notImplemented deadlines expectedFailures attachmentServer".split(
    " ",
  );

const settingsAt = (path: string, node: Node): Setting[] =>
  sections.includes(path)
    ? Object.entries(node.properties ?? {}).flatMap(([name, inner]) => settingsAt(`${path}.${name}`, inner))
    : [{ ...node, need: path as Need }];

/** All settings that checks may need, in the order of the schema. */
export const allSettings: readonly Setting[] = Object.entries(schema.properties)
  .filter(([name]) => !notFixtures.includes(name))
  .flatMap(([name, node]) => settingsAt(name, node as Node));

/** The part of the schema that describes a setting, by its path such as `keys.full`. */
export const nodeAt = (path: string): Node =>
  path.split(".").reduce((node, name) => node.properties?.[name] as Node, schema as Node);
