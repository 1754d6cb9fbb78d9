import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { generatedFolder } from "../../../scripts/common/paths.ts";
import { pathOf } from "../../../scripts/document/json-pointer.ts";
import type { Node } from "../../../scripts/document/values.ts";
import type { Loss } from "../../../scripts/generate/editions.ts";
import { edited, editsOf, valuesOf } from "./instances.ts";
import { editionValidators, schemasOf, sourceValidators, without } from "./validators.ts";

type Edition = Node & { "x-losses": Loss[] };

const read = (file: string) => JSON.parse(readFileSync(join(generatedFolder, file), "utf8"));
export const source: Node = read("openapi.json");
export const editions: [file: string, edition: Edition][] = ["openapi-3.0.json", "openapi-flat.json"].map(
  (file) => [file, read(file)],
);

/** Gives each component as many instances: one of ten is generated from it, the others are these with an edit. */
export function instances(count: number): (component: string) => unknown[] {
  const edits = fc.sample(editsOf(source), { numRuns: count, seed: 1 });
  return (component) => {
    const values = valuesOf(source, { $ref: `#/components/schemas/${component}` });
    const generated = fc.sample(values, { numRuns: count / 10, seed: 1 });
    return edits.map((edit, index) => {
      const value = generated[index % generated.length];
      return index < generated.length ? value : edited(value, edit);
    });
  };
}

/** The instances of a component by the verdicts on them. */
export interface Verdicts {
  valid: number;
  invalid: number;
  /** The instances with another verdict from the edition than from the source without the losses. */
  different: unknown[];
  /** The instances that only the source accepts, except those with a property that is known to be restricted. */
  rejected: unknown[];
}

/** Compares an edition with the source, and with the source without these losses. */
export function comparison(
  edition: Node,
  losses: Loss[],
): (component: string, values: unknown[]) => Verdicts {
  const strict = sourceValidators(source);
  const weaker = sourceValidators(without(source, losses));
  const converted = editionValidators(edition);
  const restricted = new Set(losses.flatMap((loss) => loss.restricted ?? []));
  return (component, values) => {
    const [inSource, inWeaker, inEdition] = [strict, weaker, converted].map((validators) =>
      validators(component),
    );
    const valid = values.filter((value) => inSource?.(value));
    return {
      valid: valid.length,
      invalid: values.length - valid.length,
      different: values.filter((value) => inEdition?.(value) !== inWeaker?.(value)),
      rejected: valid.filter((value) => !inEdition?.(value) && !hasProperty(value, restricted)),
    };
  };
}

/** Whether a value, or a part of it, has one of these properties. */
function hasProperty(value: unknown, names: Set<string>): boolean {
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(value).some(([name, part]) => names.has(name) || hasProperty(part, names));
}

/** The components in an edition that a loss concerns: its own, or those that its own was merged into. */
export function concerned(edition: Node, { pointer }: Loss): string[] {
  const [, , name = ""] = pathOf(pointer);
  const present = new Set(schemasOf(edition).map(([component]) => component));
  if (present.has(name)) return [name];
  return schemasOf(source)
    .filter(
      ([component, schema]) => present.has(component) && JSON.stringify(schema).includes(`/schemas/${name}"`),
    )
    .map(([component]) => component);
}
