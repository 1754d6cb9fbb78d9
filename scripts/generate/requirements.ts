import type { OpenApiDocument } from "../document/types.ts";
import { keyed } from "./keyed.ts";
import { header } from "./notice.ts";
import { literal } from "./print.ts";

const declarations = `/** One promise of the service. */
export interface Requirement {
  readonly id: string;
  /** The file of openapi/requirements/ it stands in. */
  readonly topic: string;
  readonly text: string;
  /** The heading it comes from. */
  readonly source: string;
  readonly kind: "shape" | "semantics" | "timing" | "client" | "unobservable";
  /** The operations it concerns; none where it concerns all or none in particular. */
  readonly operations: readonly string[];
  /** Why nothing encodes or checks it, where that is so. */
  readonly excluded?: string;
}

/** One thing that the service leaves open. */
export interface Unspecified {
  readonly id: string;
  readonly text: string;
  readonly source: string;
  readonly operations: readonly string[];
  /** JSON pointers into openapi.json, \`*\` for any segment, at which nothing may stand. */
  readonly absent?: readonly string[];
}

`;

/** Every requirement and everything unspecified as data, by id. */
export function requirementsFile(document: OpenApiDocument): string {
  const requirements = Object.entries(document["x-requirements"]).flatMap(([topic, rows]) =>
    rows.map(({ id, text, source, kind, operations, excluded }) => ({
      id,
      topic,
      text,
      source,
      kind,
      operations,
      ...(excluded === undefined ? {} : { excluded }),
    })),
  );
  return (
    `${header}${declarations}/** What the service promises, by id. */\n` +
    `export const requirements = ${literal(keyed(requirements, "x-requirements"))} as const satisfies Record<string, Requirement>;\n\n` +
    "/** What the service leaves open, by id. */\n" +
    `export const unspecified = ${literal(keyed(document["x-unspecified"], "x-unspecified"))} as const satisfies Record<string, Unspecified>;\n`
  );
}
