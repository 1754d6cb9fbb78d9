import { readFile } from "node:fs/promises";
import { displayPath } from "../display-path.ts";
import { pathOf } from "../document/json-pointer.ts";
import type { SourcePlace } from "../document/locate.ts";

/**
 * Finds places of a document in its JSON file, whose text is known to be JSON. It skips through the text and builds
 * nothing: a tree with offsets of a whole bundle takes a second.
 *
 * @param file absolute
 */
export function jsonPlaces(file: string): { locate(pointer: string): Promise<SourcePlace> } {
  let text: Promise<string> | undefined;
  return {
    /** The place of a JSON pointer: its name or, in a list, its value; where nothing stands there, its nearest owner. */
    async locate(pointer) {
      text ??= readFile(file, "utf8");
      const found = offsetOf(await text, pathOf(pointer));
      const before = (await text).slice(0, found);
      const column = found - before.lastIndexOf("\n");
      return { file: displayPath(file), line: before.split("\n").length, column };
    },
  };
}

/** Where in a text of JSON the end of a path stands, or as far as it leads. */
export function offsetOf(text: string, path: readonly string[]): number {
  let value = next(text, 0);
  let found = value;
  for (const segment of path) {
    const inner = entry(text, value, segment);
    if (inner === undefined) break;
    value = inner.value;
    found = inner.name;
  }
  return found;
}

/** One entry of the object or list at `start`: where its name and its value begin. An item has no name. */
function entry(text: string, start: number, segment: string): { name: number; value: number } | undefined {
  const isList = text[start] === "[";
  if (!isList && text[start] !== "{") return undefined;
  let at = next(text, start + 1);
  for (let index = 0; text[at] !== "}" && text[at] !== "]" && at < text.length; index += 1) {
    const name = at;
    const value = isList ? at : next(text, next(text, end(text, at)) + 1);
    const key = isList ? String(index) : JSON.parse(text.slice(name, end(text, name)));
    if (key === segment) return { name, value };
    at = next(text, end(text, value));
    if (text[at] === ",") at = next(text, at + 1);
  }
  return undefined;
}

/** Where the text goes on after white space. */
function next(text: string, from: number): number {
  let at = from;
  while (/\s/.test(text[at] ?? "")) at += 1;
  return at;
}

/** Where the value that begins at `start` ends. */
function end(text: string, start: number): number {
  if (text[start] === '"') return endOfString(text, start);
  if (text[start] !== "{" && text[start] !== "[") {
    const length = text.slice(start).search(/[\s,\]}]/);
    return length < 0 ? text.length : start + length;
  }
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    const mark = text[at];
    if (mark === '"') at = endOfString(text, at) - 1;
    else if (mark === "{" || mark === "[") depth += 1;
    else if (mark === "}" || mark === "]") depth -= 1;
    if (depth === 0) return at + 1;
  }
  return text.length;
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
  return at + 1;
}
