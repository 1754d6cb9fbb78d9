import { connectionProblem } from "../../lib/connection.ts";
import { mapTexts, mapValues } from "../../lib/objects.ts";
import { brief } from "../text.ts";
import { readBody } from "./http.ts";
import { type HookName, type HookRequest, type Hooks, hookNames, type Settings } from "./settings.ts";

/** Milliseconds. Advancing a clock runs everything that is due by then. */
const deadline = 60_000;

/** The hooks of a run: the functions of its configuration, with a deadline, and functions that send its hook requests. */
export function hooksOf({ hooks }: Pick<Settings, "hooks">): Partial<Hooks> {
  const functions = hookNames.flatMap((name) => {
    const hook = hooks[name];
    if (hook === undefined) return [];
    if (typeof hook === "function") return [[name, inTime(hook as (given: object) => unknown)]];
    return [[name, (given: object) => sendHookRequest(name, hook, given)]];
  });
  return Object.fromEntries(functions) as Partial<Hooks>;
}

/** The function with a deadline. */
const inTime = (hook: (given: object) => unknown) => (given: object) => {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(reject, deadline, new Error(`it did not finish within ${deadline / 1000} s`));
  return Promise.race([(async () => hook(given))(), promise]).finally(() => clearTimeout(timer));
};

async function sendHookRequest(
  name: HookName,
  { method = "POST", url, headers = {}, body }: HookRequest,
  given: object,
): Promise<void> {
  const response = await fetch(urlOf(url, given), {
    method,
    headers: { ...(body === undefined ? {} : { "content-type": "application/json" }), ...headers },
    signal: AbortSignal.timeout(deadline),
    ...(body === undefined ? {} : { body: JSON.stringify(filledIn(body, given)) }),
  }).catch(explain);
  const text = await readBody(response).catch(explain);
  if (!response.ok) throw new Error(`${name} responded with ${response.status}: ${brief(text, 200)}`);
}

/** Throws why there is no response, and what to do. */
function explain(error: unknown): never {
  const { reason, hint } = connectionProblem(error, deadline / 1000);
  throw new Error(hint === undefined ? reason : `${reason}. ${hint}`);
}

/** Values are encoded in a URL. */
function urlOf(url: string, given: object): string {
  const encoded = mapValues({ ...given }, (value) => encodeURIComponent(String(value)));
  return String(filledIn(url, encoded));
}

/** Replaces `{name}` in all strings of a value; a string that is only `{name}` becomes the value itself. */
function filledIn(value: unknown, given: object): unknown {
  const values = new Map<string, unknown>(Object.entries(given));
  const filled = (text: string): unknown => {
    const [, alone = ""] = /^\{(\w+)\}$/.exec(text) ?? [];
    if (values.has(alone)) return values.get(alone);
    return text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => String(values.get(name) ?? whole));
  };
  return mapTexts(value, filled);
}
