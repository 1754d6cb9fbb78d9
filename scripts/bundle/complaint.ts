import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { UserError } from "../../lib/user-error.ts";
import { displayPath } from "../display-path.ts";
import { hint } from "./source.ts";

interface Entry {
  file: string;
  line: number;
  column: number;
  text: string;
}

const heading = /^\[\d+\] (?<file>.+?):(?<line>\d+):(?<column>\d+)(?: at \S+)?\s*\n\s*\n(?<text>.+)$/gm;
const rootSyntax = /^\s*- (?<text>.+) in "(?<file>.+)" \((?<line>\d+):(?<column>\d+)\)/m;
const reference = /\$ref['"]?\s*:\s*(?:"(?<double>[^"]*)"|'(?<single>[^']*)'|(?<plain>[^\s,}]+))/;

/**
 * One Failure out of what Redocly wrote to standard error: the fault that the others follow from, where it is,
 * and how many more there are. `folder` is the one that Redocly ran in; its file names are relative to it.
 */
export async function complaint(text: string, run: { source: string; folder: string }): Promise<UserError> {
  const faults = entries(text, run.folder);
  // A file that cannot be read also counts as unresolved wherever it is referred to: only the cause is of use.
  const causes = faults.filter((entry) => entry.text.startsWith("Failed to parse"));
  const distinct = unique(causes.length > 0 ? causes : faults);
  const [first, ...others] = distinct;
  if (first === undefined) return new UserError(`${displayPath(run.source)}: ${text.trim()}`, { hint });
  const more = others.length === 0 ? "" : ` (and ${others.length} more)`;
  return new UserError(`${place(first)}: ${await explained(first)}${more}`, { hint });
}

function entries(text: string, folder: string): Entry[] {
  const found = [...text.matchAll(heading)];
  const root = found.length === 0 ? rootSyntax.exec(text) : null;
  return [...found, ...(root ? [root] : [])].map(({ groups = {} }) => ({
    file: resolve(folder, groups.file ?? ""),
    line: Number(groups.line),
    column: Number(groups.column),
    text: root ? `Failed to parse: ${groups.text}` : (groups.text ?? ""),
  }));
}

function unique(faults: Entry[]): Entry[] {
  return [...new Map(faults.map((entry) => [`${place(entry)} ${entry.text}`, entry])).values()];
}

const place = (entry: Entry): string => `${displayPath(entry.file)}:${entry.line}:${entry.column}`;

async function explained(entry: Entry): Promise<string> {
  const syntax = /^Failed to parse: (?<reason>.+?)(?: in ".*" \(\d+:\d+\))?$/.exec(entry.text);
  if (syntax) return `this is not YAML: ${syntax.groups?.reason}`;
  if (!entry.text.startsWith("Can't resolve $ref")) return entry.text;
  const missing = /no such file or directory '(?<file>[^']+)'/.exec(entry.text)?.groups?.file;
  const reason = missing ? `there is no file ${displayPath(missing)}` : "nothing stands there";
  return `cannot resolve "${await written(entry)}": ${reason}`;
}

/** The `$ref` as it stands in the source, at the place of the complaint or on the line after it. */
async function written(entry: Entry): Promise<string> {
  const lines = (await readFile(entry.file, "utf8")).split("\n").slice(entry.line - 1, entry.line + 1);
  const groups = reference.exec(lines.join("\n"))?.groups;
  return groups?.double ?? groups?.single ?? groups?.plain ?? "$ref";
}
