import { variableOf } from "../config/keys.ts";
import type { RecordedExchange } from "../engine/outcome.ts";
import type { Role } from "../engine/settings.ts";
import type { ContractResult } from "./result.ts";

/** What a line that repeats a call has to know of the run. */
export type Origin = Pick<ContractResult, "baseUrl" | "keyVariables">;

/** What stands in reports where a key was. */
const struck = "***";
/** What a text ends with that was too long to keep. */
const cutOff = /\.\.\. \((\d+) characters in all\)$/;

/**
 * A command for a shell that makes a call again, in lines that belong together. Keys are variables of the environment. Where
 * the body was too long to keep, the command reads it from a file, and says so.
 */
export function curlOf({ method, path, key, sent }: RecordedExchange, origin: Origin): string {
  const url = origin.baseUrl + path;
  // A key that is nobody's was made up: no variable has it.
  const variable = key === undefined ? undefined : variableFor(key, origin);
  const headers = Object.entries(sent.headers).map(([name, value]) => header(name, value, variable));
  return [
    [
      "curl -i",
      ...unchanged(path),
      ...(method === "GET" ? [] : [`-X ${argument(method)}`]),
      argument(url),
    ].join(" "),
    ...headers,
    ...(sent.body === null ? [] : body(sent)),
  ].join(" \\\n  ");
}

/** The environment variable that holds the key of a role: the one it came from in the run, or the usual one. */
function variableFor(role: Role, { keyVariables = {} }: Origin): string {
  const own = keyVariables[role];
  return own !== undefined && /^[A-Za-z_]\w*$/.test(own) ? own : variableOf(role);
}

/** What keeps curl from reading something of its own into a path. */
const unchanged = (path: string): string[] => [
  ...(/[[\]{}]/.test(path) ? ["--globoff"] : []),
  ...(/\/\.\.?(?:[/?]|$)/.test(path) ? ["--path-as-is"] : []),
];

function header(name: string, value: string, variable: string | undefined): string {
  if (value === "") return `-H ${argument(`${name};`)}`;
  const [first = "", ...others] = `${name}: ${value}`.split(struck);
  if (variable === undefined || others.length === 0 || name.toLowerCase() !== "authorization")
    return `-H ${argument(`${name}: ${value}`)}`;
  // The variable stands in double quotes, what is around it in single ones: nothing in it is read by the shell.
  const simple = /^[\w :-]*$/.test(first + others.join(""));
  if (simple) return `-H "${[first, ...others].join(`$${variable}`)}"`;
  return `-H ${[first, ...others].map((part) => (part === "" ? "" : argument(part))).join(`"$${variable}"`)}`;
}

function body({ headers, body: text }: RecordedExchange["sent"]): string[] {
  // No argument of a command can have a NUL in it.
  const whole = cutOff.exec(text ?? "") === null && !text?.includes("\0");
  const typed = Object.keys(headers).some((name) => name.toLowerCase() === "content-type");
  return [
    // curl would send a type of its own.
    ...(typed ? [] : ["-H 'content-type:'"]),
    whole ? `--data-raw ${argument(text ?? "")}` : "--data-binary @body.json",
  ];
}

/** What a terminal would not show as it is: control letters, marks for the direction of text, halves of a pair. */
const unseen = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;

/** A text as one argument of a shell, whatever is in it. */
function argument(text: string): string {
  if (/^[\w@%+=:,./-]+$/.test(text)) return text;
  if (!unseen.test(text)) return `'${text.replaceAll("'", "'\\''")}'`;
  const escaped = [...text].map((letter) => {
    if (letter === "'" || letter === "\\") return `\\${letter}`;
    if (letter === "\n") return "\\n";
    return unseen.test(letter) ? octal(letter.toWellFormed()) : letter;
  });
  return `$'${escaped.join("")}'`;
}

/** By its bytes, three octal digits each: what comes after them is never read as one more digit. */
const octal = (letter: string): string =>
  [...Buffer.from(letter)].map((byte) => `\\${byte.toString(8).padStart(3, "0")}`).join("");
