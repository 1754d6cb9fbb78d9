import { curlCommand, shellArgument } from "../../lib/shell.ts";
import { variableOf } from "../config/keys.ts";
import type { RecordedExchange } from "../engine/outcome.ts";
import { redacted } from "../engine/secrets.ts";
import type { Role } from "../engine/settings.ts";
import type { ContractResult } from "./result.ts";

/** What an exchange needs to know of the run. */
export type ExchangeContext = Pick<
  ContractResult,
  "baseUrl" | "keyVariables" | "client" | "docs" | "traffic"
>;

/** The end of a body that was cut when it was recorded. */
const cutOff = /\.\.\. \((\d+) characters in all\)$/;

/**
 * A shell command that repeats a request; empty for a request of a client, whose server has been stopped, and for one in traffic. Keys are environment variables; a body that was cut is read from `body.json`.
 */
export function curlOf({ method, path, key, request }: RecordedExchange, context: ExchangeContext): string {
  if (context.client !== undefined || context.traffic !== undefined) return "";
  // A key without a role was made up: no variable holds it.
  const variable = key === undefined ? undefined : variableFor(key, context);
  const headers = Object.entries(request.headers).map(([name, value]) => header(name, value, variable));
  const isTyped = Object.keys(request.headers).some((name) => name.toLowerCase() === "content-type");
  return curlCommand({
    method,
    url: context.baseUrl + path,
    options: [
      ...(/[[\]{}]/.test(path) ? ["--globoff"] : []),
      ...(/\/\.\.?(?:[/?]|$)/.test(path) ? ["--path-as-is"] : []),
    ],
    // Without an empty header, curl sends a content type of its own with a body.
    headers: [...headers, ...(request.body === null || isTyped ? [] : ["'content-type:'"])],
    ...(request.body === null ? {} : { body: bodyOption(request.body) }),
  });
}

/** The environment variable of a role's key: the one used in the run, or the default. */
function variableFor(role: Role, { keyVariables = {} }: ExchangeContext): string {
  const own = keyVariables[role];
  return own !== undefined && /^[A-Za-z_]\w*$/.test(own) ? own : variableOf(role);
}

function header(name: string, value: string, variable: string | undefined): string {
  if (value === "") return shellArgument(`${name};`);
  const [first = "", ...others] = `${name}: ${value}`.split(redacted);
  if (variable === undefined || others.length === 0 || name.toLowerCase() !== "authorization")
    return shellArgument(`${name}: ${value}`);
  // The variable is in double quotes, the rest in single quotes, so that the shell expands nothing else.
  const isPlain = /^[\w :-]*$/.test(first + others.join(""));
  if (isPlain) return `"${[first, ...others].join(`$${variable}`)}"`;
  return [first, ...others].map((part) => (part === "" ? "" : shellArgument(part))).join(`"$${variable}"`);
}

/** No argument of a command can contain a NUL. */
const bodyOption = (text: string): string =>
  cutOff.test(text) || text.includes("\0") ? "--data-binary @body.json" : `--data-raw ${shellArgument(text)}`;
