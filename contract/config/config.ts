import type { Config, ConfigHook } from "../../generated/schema-types.ts";
import type { Problem } from "../../lib/schema-errors.ts";
import { type HookName, type HookRequest, type Hooks, hookNames } from "../engine/settings.ts";

/** What a configuration of the contract suite says; `contract.schema.json` describes each part of it. Only a module has functions. */
export interface ContractConfig extends Omit<Config, "hooks"> {
  hooks?: { [Name in HookName]?: Hooks[Name] | ConfigHook };
}

/** Gives a configuration in a TypeScript or JavaScript module its type: `export default defineContract({ ... })`. */
export const defineContract = (config: ContractConfig): ContractConfig => config;

const placeholders: { [Name in HookName]: (keyof Parameters<Hooks[Name]>[0])[] } = {
  advanceClock: ["seconds"],
  confirm: ["email", "list"],
  suppress: ["email"],
  reset: [],
  failNext: ["failure", "requests"],
};

/** Inserts secrets and the base URL into the hook requests of a configuration. */
export function resolveHooks(
  configured: Partial<Record<HookName, ConfigHook>>,
  baseUrl: string,
  env: Environment,
) {
  const hooks: Partial<Record<HookName, HookRequest>> = {};
  /** Header values from the environment. */
  const secrets: string[] = [];
  const problems: Problem[] = [];
  for (const name of hookNames) {
    const request = configured[name];
    if (request === undefined) continue;
    const { url, headers = {}, ...rest } = request;
    const values = Object.entries(headers).map(([header, value]) => {
      if (typeof value === "string") return [header, value];
      const secret = env[value.env] ?? "";
      const path = ["hooks", name, "headers", header, "env"];
      const message = "names a variable that is not set: set it, or remove the hook";
      if (secret !== "") secrets.push(secret);
      else problems.push({ path, message });
      return [header, secret];
    });
    problems.push(...unknownPlaceholders(name, request));
    if (request.method === "GET" && request.body !== undefined)
      problems.push({ path: ["hooks", name, "body"], message: "must not be set for GET" });
    const absolute = url.startsWith("/") ? baseUrl + url : url;
    hooks[name] = { ...rest, url: absolute, headers: Object.fromEntries(values) };
  }
  return { hooks, secrets, problems };
}

function unknownPlaceholders(name: HookName, { url, body }: ConfigHook): Problem[] {
  const known: readonly string[] = placeholders[name];
  const list = known.length === 0 ? "none" : known.map((one) => `{${one}}`).join(" and ");
  return Object.entries({ url, body }).flatMap(([part, value]) => {
    const text = JSON.stringify(value) ?? "";
    const used = Array.from(text.matchAll(/\{(\w+)\}/g), ([, placeholder = ""]) => placeholder);
    if (used.every((one) => known.includes(one))) return [];
    const message = `has an unknown placeholder; the known ones of this hook are ${list}`;
    return [{ path: ["hooks", name, part], message }];
  });
}

/** The environment, as `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;
