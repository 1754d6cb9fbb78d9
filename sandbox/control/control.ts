import type { ApiRequest } from "../api/context.ts";
import { parseBody, validateInput } from "./input.ts";
import type { GatewayServices, Operation } from "./operation.ts";
import { clockOperations } from "./operations/clock.ts";
import { failureOperations } from "./operations/failures.ts";
import { recipientOperations } from "./operations/recipients.ts";
import { recordOperations } from "./operations/records.ts";
import { matchPath } from "./path.ts";
import { ControlError, errorJson, json, methodNotAllowed, type SiteResponse } from "./response.ts";

/** Every operation of the control API: what is served, and what is documented. */
export const controlOperations: readonly Operation[] = [
  {
    method: "GET",
    path: "/sandbox/",
    summary: "Lists these operations.",
    run: () => json({ operations: controlOperations.map(({ run: _, ...operation }) => operation) }),
  },
  {
    method: "GET",
    path: "/sandbox/health",
    summary: "Reports whether the sandbox and its store respond, like `GET /health`.",
    run: (services) => health(services),
  },
  ...clockOperations,
  ...recipientOperations,
  ...recordOperations,
  ...failureOperations,
];

export async function health({ store }: Pick<GatewayServices, "store">): Promise<SiteResponse> {
  await store.nextDue();
  return json({ status: "ok" });
}

/**
 * Handles a request to the control API.
 *
 * @param path the path as it was sent, without its query
 */
export async function control(
  services: GatewayServices,
  request: ApiRequest,
  path: string,
): Promise<SiteResponse> {
  const method = request.method === "HEAD" ? "GET" : request.method;
  const onPath = controlOperations.flatMap((operation) => {
    const parameters = matchPath(operation.path, path === "/sandbox" ? "/sandbox/" : path);
    return parameters === undefined ? [] : [{ operation, parameters }];
  });
  const found = onPath.find(({ operation }) => operation.method === method);
  try {
    if (onPath.length === 0)
      throw new ControlError(
        404,
        `There is no operation at ${path.slice(0, 200)}.`,
        "List them with GET /sandbox/.",
      );
    if (found === undefined)
      return methodNotAllowed(
        path,
        onPath.map(({ operation }) => operation.method),
      );
    const { operation, parameters } = found;
    const given = method === "GET" ? Object.fromEntries(queryOf(request.target)) : parseBody(request.body);
    return await operation.run(services, { ...validateInput(operation, given), ...parameters });
  } catch (error) {
    if (error instanceof ControlError) return errorJson(error);
    throw error;
  }
}

export const queryOf = (target: string): URLSearchParams =>
  new URLSearchParams(target.split("?").slice(1).join("?"));
