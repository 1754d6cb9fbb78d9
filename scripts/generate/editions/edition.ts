import { pointerOf, valueAt } from "../../document/json-pointer.ts";
import { isNode, type Node, type Path } from "../../document/values.ts";
import { markedAt } from "../../document/walk.ts";

/** A form of the document for tools that do not read all of OpenAPI 3.1. */
export interface Edition {
  document: Node;
  /** What it cannot express. */
  lost: Lost[];
}

/** A part of the source that an edition cannot express. */
export interface Lost {
  /** Its path in the source. */
  path: Path;
  /** For a union: the properties that only some variants restrict in the source, but the edition restricts always. */
  restricted?: string[];
}

/** A row of `x-losses`. */
export interface Loss {
  /** The JSON Pointer of the part in `openapi.json`. */
  pointer: string;
  /** The requirements that are no longer encoded. */
  requirements: string[];
  restricted?: string[];
}

/** A part that is lost, with the component that it refers to, and the node that it belongs to. */
interface Part {
  pointers: string[];
  node: string;
}

/**
 * The losses of an edition. A requirement is no longer encoded if each of its marks (`x-encodes`) is lost: it is in a part that
 * is lost, or at the node of such a part if the parts of the node have no marks of their own.
 */
export function lossesOf(source: Node, lost: Lost[]): Loss[] {
  const requirements = [...markedAt(source, "x-encodes")];
  const marks = requirements.flatMap(([, pointers]) => pointers);
  const parts = lost.map(({ path }) => partAt(source, path));
  const marked = new Set(
    parts.filter((part) => marks.some((mark) => isIn(mark, part))).map(({ node }) => node),
  );
  const loses = (part: Part, mark: string): boolean =>
    isIn(mark, part) || (mark === part.node && !marked.has(part.node));
  const gone = requirements.filter(([, all]) => all.every((mark) => parts.some((part) => loses(part, mark))));
  return parts.map((part, index) => ({
    pointer: part.pointers[0] ?? "",
    requirements: gone.filter(([, all]) => all.some((mark) => loses(part, mark))).map(([id]) => id),
    ...(lost[index]?.restricted === undefined ? {} : { restricted: lost[index].restricted }),
  }));
}

function partAt(source: Node, path: Path): Part {
  const value = valueAt(source, path);
  const target = isNode(value) && typeof value.$ref === "string" ? [value.$ref.slice(1)] : [];
  // Without the condition, its consequences have no meaning.
  const keywords = path.at(-1) === "if" ? ["if", "then", "else"] : path.slice(-1);
  let node = path.slice(0, -1);
  while (!isNode(valueAt(source, node))) node = node.slice(0, -1);
  const pointers = keywords.map((keyword) => pointerOf([...path.slice(0, -1), keyword]));
  return { pointers: [...pointers, ...target], node: pointerOf(node) };
}

const isIn = (mark: string, { pointers }: Part): boolean =>
  pointers.some((pointer) => mark === pointer || mark.startsWith(`${pointer}/`));
