import { z } from "zod";
import { defaultVariable } from "../../contract/config/load.ts";
import { sendRequest, Unreachable } from "../../contract/engine/http.ts";
import { roles } from "../../contract/engine/settings.ts";
import type { RawRequest } from "../../contract/exchange.ts";
import { jsonOf } from "../../lib/objects.ts";
import { usageError } from "../../lib/user-error.ts";
import { startSandbox } from "../../sandbox/index.ts";
import { sandboxUrl } from "../common/sandbox-url.ts";
import { keysOfDemo, seedWithManyFields, testedSandbox } from "../contract/targets.ts";
import { accountsOf, type UsedSandbox } from "./accounts.ts";
import { type AddTool, assertUnused, offsetField, partOf, pathField, textField, urlField } from "./tool.ts";

/** Adds the tools that use a sandbox, and send requests to it or to a server. */
export function addSandboxTools(add: AddTool, used: UsedSandbox): void {
  let response: string | undefined;
  const ownUrl = async (): Promise<string> => {
    // Two calls at once start one.
    used.own ??= startSandbox(testedSandbox()).catch((error: unknown) => {
      delete used.own;
      throw error;
    });
    return (await used.own).url;
  };
  const urlOf = async (): Promise<string> => used.url ?? (await ownUrl());
  /** Sends a request to the control API. @throws UserError with what the sandbox says if it is rejected */
  const control = async (path: string, body?: object): Promise<string> => {
    const request = body === undefined ? { method: "GET" } : { method: "POST", body };
    const { status, text } = await send(await urlOf(), { path, ...request });
    if (status < 300) return text;
    throw usageError(`the sandbox responds with ${status}`, text.slice(0, 1000));
  };
  add(
    "sandbox",
    "A working server of this API; its mail stays in an outbox. start: start it if needed, or use the one that runs at url, and show its URL. reset: restore its first state. accounts: the API keys by role, and its test accounts with domains, templates and lists.",
    {
      action: z.enum(["start", "reset", "accounts"]),
      url: urlField(`with start: that of a running sandbox, such as ${sandboxUrl}`),
      offset: offsetField,
    },
    async ({ action, url: running, offset }) => {
      if (action !== "start") assertUnused(`action ${action}`, { url: running });
      if (action !== "accounts") assertUnused(`action ${action}`, { offset });
      if (action === "accounts")
        return partOf(JSON.stringify({ keys: keysOfDemo(), ...seedWithManyFields() }, null, 1), offset);
      if (action === "reset") return control("/sandbox/reset", {});
      const url = running ?? (await ownUrl());
      const { status, text: clock } = await send(url, { method: "GET", path: "/sandbox/clock" });
      const found = `${url} is not a sandbox: it responds with ${status}, without the time of a clock`;
      if (!Object.hasOwn(Object(jsonOf(clock)), "next_due_at"))
        throw usageError(found, "Give the URL of one that runs, or leave url out to start one.");
      used.url = url;
      return `Sandbox: ${url}\nClock: ${clock}\nIts API keys and domains: action accounts. Send to it with the tool request.`;
    },
  );
  add(
    "request",
    "Send a request to the sandbox, or to the server at base_url, with the API key of the role `key`. Redirects are not followed. With offset alone: the rest of the last response.",
    {
      method: z.string().max(20).optional().describe("default: GET"),
      path: pathField("with the query, such as /api/v1/emails"),
      body: z.unknown().optional().describe("sent as JSON; a string is sent unchanged"),
      // In lower case, so that they replace those that are sent by default.
      headers: z.record(z.string().toLowerCase(), z.string()).optional().describe("such as Idempotency-Key"),
      key: z.optional(z.enum([...roles, "none"])).describe("default: full"),
      base_url: urlField("without /api/v1; default: the sandbox"),
      offset: offsetField,
    },
    async ({ path, offset, ...others }) => {
      if (offset !== undefined) assertUnused("offset", { path, ...others });
      if (offset !== undefined && response !== undefined) return partOf(response, offset);
      if (path === undefined) throw usageError("path is missing", "Give it, such as /api/v1/emails.");
      const { method = "GET", body, headers, key = "full", base_url } = others;
      const baseUrl = base_url ?? (await urlOf());
      const { env } = await accountsOf(baseUrl, used);
      const variable = key === "none" ? undefined : defaultVariable(key, env);
      const value = variable && env[variable];
      const hint = "Ask the user to set it for this MCP server, or use another key.";
      if (variable && !value) throw usageError(`${variable} is not set`, hint);
      const content = typeof body === "string" ? { rawBody: body } : { body };
      const request = { method, path, ...content, ...(headers && { headers }) };
      const { status, headers: received, text } = await send(baseUrl, request, value && `Bearer ${value}`);
      const lines = Object.entries(received).map(([name, value]) => `${name}: ${value}`);
      response = [`HTTP ${status}`, ...lines, "", text || "(no body)"].join("\n");
      return partOf(response);
    },
  );
  add(
    "outbox",
    "The messages of the sandbox with their status, newest first; with id, one with its content, events and warnings.",
    {
      id: textField("of a message; with .eml at its end, its MIME source"),
      search: textField("a text in the subject or a recipient"),
      offset: offsetField,
    },
    async ({ id, search, offset }) => {
      if (id !== undefined) assertUnused("id", { search });
      const query = `?limit=100&search=${encodeURIComponent(search ?? "")}`;
      const path = id === undefined ? query : `/${encodeURIComponent(id)}`;
      return partOf(await control(`/sandbox/outbox${path}`), offset);
    },
  );
  add(
    "clock",
    "The time of the sandbox, and when the next message is due. With advance or to, the clock moves, and what is due by then is done.",
    {
      advance: textField("a duration, such as PT1H or P3D"),
      to: textField("a later time with an offset, such as 2027-01-31T09:00:00Z"),
    },
    (input) => control("/sandbox/clock", Object.keys(input).length === 0 ? undefined : input),
  );
}

/** @throws UserError if there is no response */
const send = (baseUrl: string, request: RawRequest, authorization?: string) =>
  sendRequest({ baseUrl, fetch, responseDeadline: 30 }, request, authorization).catch((error: unknown) => {
    if (!(error instanceof Unreachable)) throw error;
    throw usageError(error.message, error.known.hint ?? "Check base_url, method and headers.", error);
  });
