import { type HookName, type HookRequest, type Hooks, hookNames } from "../engine/settings.ts";
import type { ConfiguredHookRequest } from "./config.ts";
import type { Fault } from "./faults.ts";
import type { Environment } from "./keys.ts";

/** What stands for a value in a call of a hook. */
const placeholders: { [Name in HookName]: (keyof Parameters<Hooks[Name]>[0])[] } = {
  advanceClock: ["seconds"],
  confirm: ["email", "list"],
  suppress: ["email"],
  reset: [],
  failNext: ["failure", "requests"],
};

/** The calls of a configuration, and what is wrong with them. */
export interface ResolvedHooks {
  hooks: Partial<Record<HookName, HookRequest>>;
  /** The values of headers that come from the environment: they are secrets, as keys are. */
  secrets: string[];
  faults: Fault[];
}

/** Puts secrets and the base URL into the calls of a configuration. */
export function resolveHooks(
  configured: Partial<Record<HookName, ConfiguredHookRequest>>,
  baseUrl: string,
  env: Environment,
): ResolvedHooks {
  const resolved: ResolvedHooks = { hooks: {}, secrets: [], faults: [] };
  for (const name of hookNames) {
    const call = configured[name];
    if (call === undefined) continue;
    const { url, headers = {}, ...rest } = call;
    const filled = Object.entries(headers).map(([header, value]) => {
      if (typeof value === "string") return [header, value];
      const secret = env[value.env] ?? "";
      if (secret !== "") resolved.secrets.push(secret);
      else
        resolved.faults.push({
          path: ["hooks", name, "headers", header, "env"],
          says: "names a variable that is not set: set it, or take the hook out",
        });
      return [header, secret];
    });
    resolved.faults.push(...unknownPlaceholders(name, call));
    if (call.method === "GET" && call.body !== undefined)
      resolved.faults.push({
        path: ["hooks", name, "body"],
        says: "goes with POST, PUT, PATCH or DELETE only",
      });
    const absolute = url.startsWith("/") ? baseUrl + url : url;
    resolved.hooks[name] = { ...rest, url: absolute, headers: Object.fromEntries(filled) };
  }
  return resolved;
}

function unknownPlaceholders(name: HookName, { url, body }: ConfiguredHookRequest): Fault[] {
  const known: readonly string[] = placeholders[name];
  const list = known.length === 0 ? "none" : known.map((one) => `{${one}}`).join(" and ");
  return Object.entries({ url, body }).flatMap(([part, value]) => {
    const used = Array.from(textsIn(value).matchAll(/\{(\w+)\}/g), ([, placeholder = ""]) => placeholder);
    if (used.every((one) => known.includes(one))) return [];
    return [
      {
        path: ["hooks", name, part],
        says: `has a {name} that this hook does not fill in; it fills in ${list}`,
      },
    ];
  });
}

/** All texts in a value, one after another. */
function textsIn(value: unknown): string {
  if (typeof value === "string") return `${value}\n`;
  return typeof value === "object" && value !== null ? Object.values(value).map(textsIn).join("") : "";
}
