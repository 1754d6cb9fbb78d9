import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import type { Verdict } from "../../../scripts/diff/comparison.ts";
import { valueAtPointer } from "../../../scripts/document/json-pointer.ts";
import { listOf, type Node, nodeOf } from "../../../scripts/document/values.ts";
import {
  add,
  at,
  copy,
  put,
  remove,
  removeLast,
  rename,
  reverse,
  schema as schemaPointer,
  take,
} from "../../document-edits.ts";

/** One labelled change of the contract. */
export interface LabelledChange {
  /** The name of its file. */
  topic: string;
  /** Unique. */
  title: string;
  /** What the change needs and this contract does not have: added to the base. */
  given: EditRow[];
  edits: EditRow[];
  verdict: Verdict;
  /** The requirement that the verdict follows from. */
  requirement: string;
}

/**
 * An edit as in the files of this folder: its name with the pointer to what it changes. A pointer without a slash at its
 * start begins with an operationId, a schema or another kind of component; `id=SEND-9` is the row of a table with that id.
 */
interface EditRow {
  value?: unknown;
  to?: string;
  [edit: string]: unknown;
}

interface Group {
  verdict: Verdict;
  requirement: string;
  given?: EditRow | EditRow[];
  /** By title. */
  changes: Record<string, EditRow | EditRow[]>;
}

const files = readdirSync(import.meta.dirname).filter((file) => file.endsWith(".yaml"));

/** Every labelled change of the contract. */
export const labelledChanges: LabelledChange[] = files.flatMap((file) => {
  const groups = parse(readFileSync(join(import.meta.dirname, file), "utf8")) as Group[];
  return groups.flatMap(({ verdict, requirement, given = [], changes }) =>
    Object.entries(changes).map(([title, edits]) => ({
      ...{ topic: file.replace(".yaml", ""), title, verdict, requirement },
      ...{ given: [given].flat(), edits: [edits].flat() },
    })),
  );
});

/** The base and the revision of a change. The bundle is not modified. */
export function documentsOf(bundle: Node, { given, edits }: LabelledChange): [Node, Node] {
  const before = given.length === 0 ? bundle : edited(bundle, given);
  return [before, edited(before, edits)];
}

function edited(document: Node, rows: EditRow[]): Node {
  const copied = structuredClone(document);
  for (const row of rows) make(copied, row);
  return copied;
}

function make(document: Node, { value, to = "", ...edit }: EditRow): void {
  const [[name, target] = ["none", ""]] = Object.entries(edit);
  const pointer = pointerIn(document, String(target));
  const edits: Record<string, (document: object) => void> = {
    put: put(pointer, value),
    add: add(pointer, value),
    take: take(pointer, value),
    remove: remove(pointer),
    removeLast: removeLast(pointer),
    reverse: reverse(pointer),
    rename: rename(pointer, to),
    copy: copy(pointer, pointerIn(document, to)),
  };
  const found = edits[name];
  if (found === undefined) throw new Error(`no edit is called ${name}`);
  found(document);
}

function pointerIn(document: Node, text: string): string {
  const [first = ""] = text.split("/");
  const operation = Object.entries(at).find(([id]) => id === first)?.[1];
  const component = /^[A-Z]/.test(first) ? schemaPointer(first) : `/components/${first}`;
  const pointer = (first === "" ? "" : (operation ?? component)) + text.slice(first.length);
  return pointer.replace(/^(.*)\/(\w+)=([^/]+)/, (_, table: string, key: string, value: string) => {
    const index = listOf(valueAtPointer(document, table)).findIndex((row) => nodeOf(row)[key] === value);
    if (index < 0) throw new Error(`no row with ${key} ${value} in ${table}`);
    return `${table}/${index}`;
  });
}

/** A bundle that may be edited: any value at any name. */
// biome-ignore lint/suspicious/noExplicitAny: an edit reaches into a document whose shape it knows
export type Editable = any;

/** A schema of the bundle, by name. */
export const schema = (bundle: Editable, name: string): Editable => bundle.components.schemas[name];
