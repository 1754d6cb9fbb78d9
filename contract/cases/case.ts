import type { Schema } from "../document.ts";
import type { Query } from "../engine/path.ts";

/** A request on one side of one constraint; everything else in it is valid. */
export interface Case {
  /** The operationId. */
  operation: string;
  location: "body" | "header" | "query";
  /** The property path joined by dots, `*` for any entry or name, empty for the body itself; or the name of a parameter. */
  field: string;
  /** The location of the value that is changed, with indexes: `emails`, 0, `subject`. Empty for the body itself. */
  path: readonly (string | number)[];
  /** The keyword of the constraint; `example` for the examples of the document. */
  keyword: string;
  /** Whether the request is valid. */
  accepted: boolean;
  title: string;
  body: unknown;
  headers: Record<string, string>;
  query: Query;
}

/** A step into a body: a property name, `[]` for an entry of a list, `{}` for a value under any name. */
export type Step = string;

/** One value in one body. */
export interface Location {
  body: unknown;
  path: (string | number)[];
}

/** A schema within a request schema, and the values in valid bodies that it applies to (at least one). */
export interface SchemaLocation {
  operation: string;
  schema: Schema;
  /** The name of the component, or `<component>.<property>` for an inline schema. */
  name: string;
  steps: Step[];
  /** The component names of the `oneOf` and `anyOf` branches on the way. */
  variants: string[];
  locations: [Location, ...Location[]];
}

/** A body with one change. */
export interface Change {
  /** The property that is added or removed, if the change is that. */
  property?: string;
  accepted: boolean;
  phrase: string;
  body: unknown;
}
