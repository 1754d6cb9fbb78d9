import { startRig } from "../rig.ts";

// biome-ignore lint/suspicious/noExplicitAny: tests read any property of a response
type Json = any;

/** A sandbox whose control API creates workspaces. */
export async function started(options: Parameters<typeof startRig>[0] = {}) {
  const { sandbox } = await startRig(options);
  const send = async (method: string, url: string, body?: unknown, key?: string) => {
    const headers: Record<string, string> = { "content-type": "application/json" };
    if (key !== undefined) headers.authorization = `Bearer ${key}`;
    const init: RequestInit = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
    const response = await fetch(URL.canParse(url) ? url : sandbox.url + url, init);
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.startsWith("application/json");
    return { status: response.status, text, body: (isJson ? JSON.parse(text) : undefined) as Json };
  };
  const create = async (body: object = {}) => (await send("POST", "/sandbox/workspaces", body)).body;
  return { sandbox, send, create };
}
