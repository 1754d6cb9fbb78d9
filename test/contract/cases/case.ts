import type { Schema } from "../document.ts";

/** One request on one side of one constraint; everything else about it is as the document has it. */
export interface Case {
  /** The operationId. */
  operation: string;
  where: "body" | "header";
  /** The field: its names joined by dots, `*` for any entry or name, empty for the body itself. Or the name of a header. */
  field: string;
  /** The keyword of the schema whose limit is tried; `example` for the examples of the document. */
  keyword: string;
  /** Whether the request keeps to the document, and so is accepted. */
  accepted: boolean;
  /** What is claimed, as a fact. */
  title: string;
  body: unknown;
  headers: Record<string, string>;
}

/** A step down into a body: the name of a property, `[]` for an entry of a list, `{}` for a value under any name. */
export type Step = string;

/** One value in one body. */
export interface Place {
  body: unknown;
  path: (string | number)[];
}

/** A schema in the tree of a request's schemas, and the places in known good bodies that it holds for (at least one). */
export interface Spot {
  operation: string;
  schema: Schema;
  /** The component it is, or `<component>.<property>` where it stands in its place. */
  name: string;
  steps: Step[];
  /** The alternatives taken on the way, by the name of their component. */
  variants: string[];
  places: [Place, ...Place[]];
}

/** A body with one thing changed, and that thing in words. */
export interface Change {
  /** The property that is there or missing, where the change is that. */
  property?: string;
  accepted: boolean;
  phrase: string;
  body: unknown;
}
