import { pointerOf, valueAt } from "../../document/json-pointer.ts";
import { markedAt } from "../../document/requirements.ts";
import { isNode, type Node, type Path } from "../../document/values.ts";

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
 * The losses of an edition. A requirement is no longer encoded if each of its marks (`x-encodes`) is in a part that is lost, or at
 * the node of such a part that has no marks of its own.
 */
export function lossesOf(source: Node, lost: Lost[]): Loss[] {
  const requirements = [...markedAt(source, "x-encodes")];
  const all = requirements.flatMap(([, marks]) => marks);
  const losses = lost.map(({ path, restricted }) => {
    const { pointers, node } = partAt(source, path);
    const own = all.filter((mark) =>
      pointers.some((pointer) => mark === pointer || mark.startsWith(`${pointer}/`)),
    );
    const marks = new Set(own.length > 0 ? own : [node]);
    return { pointer: pointerOf(path), marks, restricted };
  });
  const gone = requirements.filter(([, marks]) =>
    marks.every((mark) => losses.some((loss) => loss.marks.has(mark))),
  );
  return losses.map(({ pointer, marks, restricted }) => ({
    pointer,
    requirements: gone.filter(([, places]) => places.some((mark) => marks.has(mark))).map(([id]) => id),
    ...(restricted === undefined ? {} : { restricted }),
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
