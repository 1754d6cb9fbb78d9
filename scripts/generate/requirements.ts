import { header } from "../common/notice.ts";
import type { OpenApiDocument } from "../document/types.ts";
import { keyed } from "./keyed.ts";
import { literal } from "./print.ts";

const declarations = `/** A requirement of the service. */
export interface Requirement {
  readonly id: string;
  /** The name of its file in openapi/requirements/. */
  readonly topic: string;
  readonly text: string;
  /** Its heading in the service description. */
  readonly source: string;
  readonly kind: "shape" | "semantics" | "timing" | "client" | "unobservable";
  /** The operations it applies to; may be empty. */
  readonly operations: readonly string[];
  /** Why it is neither encoded nor checked. */
  readonly excluded?: string;
}

/** Behavior that the service does not specify. */
export interface Unspecified {
  readonly id: string;
  readonly text: string;
  readonly source: string;
  readonly operations: readonly string[];
  /** JSON Pointers into openapi.json that must not exist; \`*\` is any segment. */
  readonly absent?: readonly string[];
}

`;

/** The requirements and the unspecified behavior as data, by id. */
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
    `${header}${declarations}/** The requirements of the service, by id. */\n` +
    `export const requirements = ${literal(keyed(requirements, "x-requirements"))} as const satisfies Record<string, Requirement>;\n\n` +
    "/** The unspecified behavior, by id. */\n" +
    `export const unspecified = ${literal(keyed(document["x-unspecified"], "x-unspecified"))} as const satisfies Record<string, Unspecified>;\n`
  );
}
