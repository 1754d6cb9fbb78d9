import { pathOf, valueAt } from "../scripts/document/json-pointer.ts";
import { isNode } from "../scripts/document/values.ts";

/** A change to a deep copy of the bundle. Throws if the path to change does not exist. */
export type Edit = (document: object) => void;

/** Makes several edits, one after the other. */
export const inTurn =
  (...edits: Edit[]): Edit =>
  (document) => {
    for (const edit of edits) edit(document);
  };

const owner = (
  document: object,
  pointer: string,
): { node: Record<string, unknown> | unknown[]; key: string } => {
  const path = pathOf(pointer);
  const node = valueAt(document, path.slice(0, -1));
  if (!isNode(node) && !Array.isArray(node)) throw new Error(`nothing to change at ${pointer}`);
  return { node, key: path.at(-1) ?? "" };
};

const existing = (document: object, pointer: string): unknown => {
  const value = valueAt(document, pathOf(pointer));
  if (value === undefined) throw new Error(`there is no ${pointer}`);
  return value;
};

/** Sets the value at the pointer. */
export const put =
  (pointer: string, value: unknown): Edit =>
  (document) => {
    const { node, key } = owner(document, pointer);
    if (Array.isArray(node)) node[Number(key)] = structuredClone(value);
    else node[key] = structuredClone(value);
  };

/** Replaces the existing value at the pointer. */
export const change =
  (pointer: string, value: unknown): Edit =>
  (document) => {
    if (existing(document, pointer) === value) throw new Error(`${pointer} is ${value} already`);
    put(pointer, value)(document);
  };

/** Removes the value at the pointer. */
export const remove =
  (pointer: string): Edit =>
  (document) => {
    existing(document, pointer);
    const { node, key } = owner(document, pointer);
    if (Array.isArray(node)) node.splice(Number(key), 1);
    else delete node[key];
  };

/** Sets the value at the other pointer to a copy of that at the first. */
export const copy =
  (from: string, to: string): Edit =>
  (document) =>
    put(to, existing(document, from))(document);

/** Renames the property at the pointer, and keeps its position. */
export const rename =
  (pointer: string, name: string): Edit =>
  (document) => {
    existing(document, pointer);
    const { node, key } = owner(document, pointer);
    const entries = Object.entries(node).map(([old, value]) => [old === key ? name : old, value]);
    for (const old of Object.keys(node)) Reflect.deleteProperty(node, old);
    Object.assign(node, Object.fromEntries(entries));
  };

/** Adds an item to the array at the pointer. */
export const add =
  (pointer: string, entry: unknown): Edit =>
  (document) => {
    const list = existing(document, pointer);
    if (!Array.isArray(list)) throw new Error(`no list at ${pointer}`);
    list.push(structuredClone(entry));
  };

/** Removes an item from the array at the pointer. */
export const take =
  (pointer: string, entry: unknown): Edit =>
  (document) => {
    const list = existing(document, pointer);
    if (!Array.isArray(list) || !list.includes(entry)) throw new Error(`no ${entry} at ${pointer}`);
    list.splice(list.indexOf(entry), 1);
  };

/** Removes the last item from the array at the pointer. */
export const removeLast =
  (pointer: string): Edit =>
  (document) => {
    const list = existing(document, pointer);
    if (!Array.isArray(list) || list.length === 0) throw new Error(`no items at ${pointer}`);
    list.pop();
  };

/** Reverses the order of the items of the array, or of the properties of the object, at the pointer. */
export const reverse =
  (pointer: string): Edit =>
  (document) => {
    const node = existing(document, pointer);
    if (Array.isArray(node)) node.reverse();
    else if (isNode(node)) put(pointer, Object.fromEntries(Object.entries(node).reverse()))(document);
    else throw new Error(`nothing to reverse at ${pointer}`);
  };

/** Applies edits to the row of the table at the pointer that has this value under this key. */
export const inRow =
  (table: string, key: string, value: string, edit: (row: string) => Edit): Edit =>
  (document) => {
    const rows = existing(document, table);
    const index = Array.isArray(rows) ? rows.findIndex((row) => isNode(row) && row[key] === value) : -1;
    if (index < 0) throw new Error(`no row ${value} in ${table}`);
    edit(`${table}/${index}`)(document);
  };

// JSON Pointers into the bundle.

const v1 = "/paths/~1api~1v1~1";

/** The operations, by operationId. */
export const at = {
  sendEmail: `${v1}emails/post`,
  sendBatch: `${v1}emails~1batch/post`,
  getEmail: `${v1}emails~1{id}/get`,
  rescheduleEmail: `${v1}emails~1{id}/patch`,
  cancelEmail: `${v1}emails~1{id}/delete`,
  listNewsletterLists: `${v1}newsletter~1lists/get`,
  listCustomFields: `${v1}newsletter~1fields/get`,
  upsertContact: `${v1}newsletter~1contacts/post`,
  getContact: `${v1}newsletter~1contacts~1{email}/get`,
  unsubscribeContact: `${v1}newsletter~1contacts~1{email}~1unsubscribe/post`,
  getMe: `${v1}me/get`,
};

export const schema = (name: string): string => `/components/schemas/${name}`;
export const field = (name: string, property: string): string => `${schema(name)}/properties/${property}`;
export const response = (name: string): string => `/components/responses/${name}`;
export const header = (name: string): string => `/components/headers/${name}`;
export const parameter = (name: string): string => `/components/parameters/${name}`;
export const example = (name: string): string => `/components/examples/${name}`;

/** The JSON content of a request, a response or an operation's response. */
export const json = (owner: string): string => `${owner}/content/application~1json`;
