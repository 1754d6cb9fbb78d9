import type { ApiRequest } from "../api/context.ts";
import { ControlRefusal, json, refused, type SiteAnswer } from "./answer.ts";
import type { ControlCall } from "./call.ts";
import { clockCalls } from "./calls/clock.ts";
import { failureCalls } from "./calls/failures.ts";
import { peopleCalls } from "./calls/people.ts";
import { recordCalls } from "./calls/records.ts";
import { inputOf } from "./input.ts";
import type { GatewayServices } from "./parts.ts";

const about: ControlCall[] = [
  {
    method: "GET",
    path: "/sandbox/",
    does: "Lists these calls.",
    run: () => json({ calls: controlCalls.map(({ run: _, ...row }) => row) }),
  },
  {
    method: "GET",
    path: "/sandbox/health",
    does: "Says that the sandbox answers, like /health.",
    run: (parts) => health(parts),
  },
];

/** Every control call: what is served, and what is told about it. */
export const controlCalls: readonly ControlCall[] = [
  ...about,
  ...clockCalls,
  ...peopleCalls,
  ...recordCalls,
  ...failureCalls,
];

/** Says that the sandbox answers, and that its store does. */
export async function health({ store }: Pick<GatewayServices, "store">): Promise<SiteAnswer> {
  await store.nextDue();
  return json({ status: "ok" });
}

/**
 * Answers a call under `/sandbox`.
 *
 * @param path the path as it was sent, without its query
 */
export async function control(
  parts: GatewayServices,
  request: ApiRequest,
  path: string,
): Promise<SiteAnswer> {
  const found = controlCalls.flatMap((call) => {
    const id = match(call.path, path === "/sandbox" ? "/sandbox/" : path);
    return id === undefined ? [] : [{ call, id }];
  });
  if (found.length === 0)
    return refused(404, `There is no control call at ${path.slice(0, 200)}.`, "GET /sandbox/ lists them.");
  const method = request.method === "HEAD" ? "GET" : request.method;
  const chosen = found.find(({ call }) => call.method === method);
  if (chosen === undefined)
    return wrongMethod(
      path,
      found.map(({ call }) => call.method),
    );
  try {
    const query = new URLSearchParams(request.target.split("?").slice(1).join("?"));
    return await chosen.call.run(parts, { input: inputOf(request.body), query, id: chosen.id });
  } catch (error) {
    if (error instanceof ControlRefusal) return refused(error.status, error.message, error.hint);
    throw error;
  }
}

function wrongMethod(path: string, methods: string[]): SiteAnswer {
  const allow = methods.join(", ");
  const answer = refused(
    405,
    `${path} does not take this method.`,
    `It takes ${allow}. GET /sandbox/ tells what for.`,
  );
  return { ...answer, headers: { ...answer.headers, allow } };
}

/** What stands in the open place of a path; empty for a path without one; undefined where it is another path. */
function match(pattern: string, path: string): string | undefined {
  if (!pattern.endsWith("{id}")) return pattern === path ? "" : undefined;
  const before = pattern.slice(0, -"{id}".length);
  const rest = path.slice(before.length);
  if (!path.startsWith(before) || rest === "" || rest.includes("/")) return undefined;
  try {
    return decodeURIComponent(rest);
  } catch {
    return undefined;
  }
}
