import { errors } from "../../generated/errors.ts";
import { jsonOf } from "../../lib/objects.ts";
import { curlCommand, shellArgument } from "../../lib/shell.ts";
import { errorUrl, startOf } from "../../lib/text.ts";
import { variableOf } from "../config/load.ts";
import { cutOff, type RecordedExchange } from "../engine/outcome.ts";
import { redacted } from "../engine/secrets.ts";
import type { Role } from "../engine/settings.ts";
import { errorOf } from "../exchange.ts";
import { requestIdHeader } from "../response-checks/headers.ts";
import { brief } from "../text.ts";
import type { ContractResult } from "./result.ts";

/**
 * What belongs to an exchange besides its request and response, in the order in which it happened.
 * @param before the exchange shown above it: the notes on a call stand with its first attempt
 */
export function notesOf(
  { hooks = [], atOnce, call, disturbance, key, request, response, startedAt }: RecordedExchange,
  { traffic }: Pick<ContractResult, "traffic">,
  before?: RecordedExchange,
): { label: string; text: string }[] {
  const earlier = before?.call;
  // Two requests of the same call, the second right after the first.
  const isNext = call && call.line === earlier?.line && call.attempts.length === earlier.attempts.length + 1;
  const shown = isNext ? undefined : call;
  const idempotencyKey = request.headers["idempotency-key"];
  // No variable holds it. Traffic has every key hidden.
  const hasHidden = request.headers.authorization?.includes(redacted) === true;
  const isHidden = key === undefined && traffic === undefined && hasHidden;
  const id = response.headers[requestIdHeader];
  // Not every record has times.
  const identity = [startedAt > 0 && new Date(startedAt).toISOString(), id && `request id ${id}`];
  return Object.entries({
    hook: hooks,
    "at once": [atOnce && "sent together with the others marked so"],
    call: [shown?.line],
    attempt: shown?.attempts ?? [],
    service: [disturbance],
    reply: [shown?.reply],
    // It tells the attempts of a call from other requests.
    header: call && idempotencyKey !== undefined ? [`Idempotency-Key: ${idempotencyKey}`] : [],
    key: isHidden ? [`${redacted} hides a text like the key: the title says which`] : [],
    // By which an exchange in traffic is found in the logs of the service and of others.
    time: traffic === undefined ? [] : [identity.filter(Boolean).join(", ") || undefined],
  }).flatMap(([label, texts]) => texts.flatMap((text) => (!text ? [] : [{ label, text }])));
}

/** The requests before the failing one, a line each of at most so many characters: `POST /api/v1/emails {"to":["a@b...: 202`. */
export function stepLines(steps: readonly RecordedExchange[], maxLength: number): string[] {
  const lines: { text: string; times: number }[] = [];
  for (const { hooks = [], atOnce, method, path, key, request, response } of steps) {
    const role = key === undefined || key === "full" ? "" : ` (${key})`;
    const end = `${role}${atOnce ? " at once" : ""}: ${response.status}`;
    const start = brief(`${method} ${path} ${request.body ?? ""}`, maxLength - end.length);
    for (const text of [...hooks.map((hook) => brief(`hook ${hook}`, maxLength)), start + end]) {
      const last = lines.at(-1);
      // Polling sends the same request many times.
      if (last?.text === text) last.times += 1;
      else lines.push({ text, times: 1 });
    }
  }
  return lines.map(({ text, times }) => (times === 1 ? text : `${text} (${times} times)`));
}

/** A body in one line: all of it, or its start and the first property of what is beyond that a failure names. */
export function bodyText(body: string, maxLength: number, about: string): string {
  const text = brief(body, Number.POSITIVE_INFINITY);
  if (text.length <= maxLength) return text;
  const half = Math.floor(maxLength / 2);
  const place = placesIn(text, about).find(({ index }) => index > half)?.index ?? 0;
  if (place < maxLength - 40) return brief(text, maxLength);
  return `${startOf(text, half)}... ${brief(text.slice(place), half)}`;
}

/** The properties of a body that a failure names. */
export const placesIn = (body: string, about: string): RegExpExecArray[] =>
  [...body.matchAll(/"([\w-]{2,})":/g)].filter(({ 1: name }) =>
    new RegExp(`(?<![\\w-])${name}(?![\\w-])`).test(about),
  );

export const statusText = ({ response }: RecordedExchange): string =>
  response.status === 0 ? "none" : String(response.status);

/** Where the reference describes the error of a response; undefined without a reference or an error. */
export const errorLink = (
  { response: { status, body } }: RecordedExchange,
  { docs }: Pick<ContractResult, "docs">,
): string | undefined => docs && errorUrl(docs, errors, { status, type: errorTypeIn(body) });

/** Where the reference describes a requirement; undefined without a reference. */
export const requirementLink = (id: string, { docs }: Pick<ContractResult, "docs">): string | undefined =>
  docs && `${docs.replace(/\/+$/, "")}/requirements/#${id}`;

/** The error type of a body; undefined if it is not an error of the service. */
export function errorTypeIn(body: string): string | undefined {
  const type = errorOf({ json: jsonOf(body) })?.type;
  return typeof type === "string" ? type : undefined;
}

/** What an exchange needs to know of the run. */
export type ExchangeContext = Pick<
  ContractResult,
  "baseUrl" | "keyVariables" | "client" | "docs" | "traffic" | "published"
>;

/**
 * A shell command that repeats a request; empty for a request of a client, whose server has been stopped, and for one in traffic or in a published report. Keys are environment variables; a body that was cut is read from `body.json`.
 */
export function curlOf({ method, path, key, request }: RecordedExchange, context: ExchangeContext): string {
  if (context.client || context.traffic || context.published) return "";
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
