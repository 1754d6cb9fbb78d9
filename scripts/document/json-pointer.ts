import { decoded, segmentsOf } from "../../lib/text.ts";
import { isNode, type Node, type Path } from "./values.ts";

/** The JSON Pointer (RFC 6901) of a path: `["paths", "/emails"]` gives `/paths/~1emails`. */
export const pointerOf = (path: Readonly<Path>): string =>
  path.map((segment) => `/${String(segment).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");

/** The path of a JSON Pointer, also as a URI fragment: `#/paths/~1emails` gives `["paths", "/emails"]`. One encoded wrongly is read as it is. */
export const pathOf = (pointer: string): string[] =>
  segmentsOf(pointer.startsWith("#") ? (decoded(pointer) ?? pointer) : pointer);

/** The last segment of a JSON Pointer: the name of a component. */
export const nameOf = (pointer: string): string => pathOf(pointer).at(-1) ?? "";

/** The value at a path; undefined if there is none. */
export const valueAt = (root: unknown, path: Readonly<Path>): unknown =>
  path.reduce<unknown>((value, segment) => {
    if (!isNode(value) && !Array.isArray(value)) return undefined;
    return Object.hasOwn(value, segment) ? (value as Node)[segment] : undefined;
  }, root);

/** The value at a JSON Pointer (`/paths/~1emails/post` or `#/components/schemas/Note`); undefined if there is none. */
export const valueAtPointer = (root: unknown, pointer: string): unknown => valueAt(root, pathOf(pointer));
