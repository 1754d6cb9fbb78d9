import { isObject, mapValues } from "../../lib/objects.ts";
import { type HookName, type HookRequest, type Hooks, hookNames, type Settings } from "./settings.ts";

/** Milliseconds. Advancing a clock runs everything that is due by then. */
const deadline = 60_000;

/** The hooks of a run: the functions of its configuration, with a deadline, and functions that send its hook requests. */
export function hooksOf({ hooks }: Pick<Settings, "hooks">): Partial<Hooks> {
  const functions = hookNames.flatMap((name) => {
    const hook = hooks[name];
    if (hook === undefined) return [];
    const isFunction = typeof hook === "function";
    const call = isFunction
      ? inTime(hook as (given: object) => unknown)
      : (given: object) => sendHookRequest(name, hook, given);
    return [[name, call] as const];
  });
  return Object.fromEntries(functions) as Partial<Hooks>;
}

/** The function with a deadline. It keeps its name. */
export function inTime(hook: (given: object) => unknown): (given: object) => Promise<unknown> {
  const limited = async (given: object): Promise<unknown> => {
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(
      () => late.reject(new Error(`it did not finish within ${deadline / 1000} s`)),
      deadline,
    );
    try {
      return await Promise.race([hook(given), late.promise]);
    } finally {
      clearTimeout(timer);
    }
  };
  return Object.defineProperty(limited, "name", { value: hook.name });
}

async function sendHookRequest(
  name: HookName,
  { method = "POST", url, headers = {}, body }: HookRequest,
  given: object,
): Promise<void> {
  const filled = filledIn(body, given);
  const response = await fetch(urlOf(url, given), {
    method,
    headers: { ...(body === undefined ? {} : { "content-type": "application/json" }), ...headers },
    signal: AbortSignal.timeout(deadline),
    ...(body === undefined ? {} : { body: JSON.stringify(filled) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${name} responded with ${response.status}: ${text.slice(0, 200)}`);
}

/** Values are encoded in a URL. */
function urlOf(url: string, given: object): string {
  const encoded = mapValues(given as Record<string, unknown>, (value) => encodeURIComponent(String(value)));
  return String(filledIn(url, encoded));
}

/** Replaces `{name}` in all strings of a value; a string that is only `{name}` becomes the value itself. */
function filledIn(value: unknown, given: object): unknown {
  const values = given as Record<string, unknown>;
  if (typeof value === "string") {
    const [, alone] = /^\{(\w+)\}$/.exec(value) ?? [];
    if (alone !== undefined && Object.hasOwn(values, alone)) return values[alone];
    return value.replaceAll(/\{(\w+)\}/g, (whole, name: string) =>
      Object.hasOwn(values, name) ? String(values[name]) : whole,
    );
  }
  if (Array.isArray(value)) return value.map((entry) => filledIn(entry, given));
  return isObject(value) ? mapValues(value, (inner) => filledIn(inner, given)) : value;
}
