import { pathToFileURL } from "node:url";
import { type HookName, type HookRequest, type Hooks, hookNames, type Settings } from "./settings.ts";

/** Milliseconds. Advancing a clock runs everything that is due by then. */
const deadline = 60_000;

/**
 * The hooks of a run: the functions of its module, and functions that send its hook requests.
 * @throws whatever importing the module throws
 */
export async function hooksOf({
  hooks,
  module,
}: Pick<Settings, "hooks" | "module">): Promise<Partial<Hooks>> {
  const calls = hookNames.flatMap((name) => {
    const call = hooks[name];
    return call === undefined ? [] : [[name, (given: object) => sendHookRequest(name, call, given)] as const];
  });
  return {
    ...Object.fromEntries(calls),
    ...(module === undefined ? {} : await functionsIn(module)),
  } as Partial<Hooks>;
}

async function functionsIn(module: string): Promise<Partial<Hooks>> {
  const { default: config } = (await import(pathToFileURL(module).href)) as {
    default?: { hooks?: Record<string, unknown> };
  };
  const functions = Object.entries(config?.hooks ?? {}).flatMap(([name, hook]) =>
    typeof hook === "function" ? [[name, inTime(hook as (given: object) => unknown)] as const] : [],
  );
  return Object.fromEntries(functions) as Partial<Hooks>;
}

/** The function with a deadline. It keeps its name. */
export function inTime(
  hook: (given: object) => unknown,
  milliseconds = deadline,
): (given: object) => Promise<unknown> {
  const limited = async (given: object): Promise<unknown> => {
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(
      () => late.reject(new Error(`it did not finish within ${milliseconds / 1000} s`)),
      milliseconds,
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
  const pieces = Object.entries(given).map(([name, value]) => [name, encodeURIComponent(String(value))]);
  return String(filledIn(url, Object.fromEntries(pieces) as object));
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
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, filledIn(inner, given)]));
}
