import type { ApiRequest } from "../api/context.ts";
import { createPathMatcher, originOf, queryOf } from "../api/path-matcher.ts";
import { health } from "./health.ts";
import { parseBody, rejectUnknown, validateInput } from "./input.ts";
import type { GatewayServices, Operation } from "./operation.ts";
import { clockOperations } from "./operations/clock.ts";
import { failureOperations } from "./operations/failures.ts";
import { recipientOperations } from "./operations/recipients.ts";
import { recordOperations } from "./operations/records.ts";
import { ControlError, errorJson, json, methodNotAllowed, type SiteResponse } from "./response.ts";

/** Every operation of the control API: what is served, and what is documented. */
export const controlOperations: readonly Operation[] = [
  {
    method: "GET",
    path: "/sandbox/",
    summary: "Lists these operations.",
    run: (_services, _input, request) =>
      json({
        base_url: originOf(request),
        operations: controlOperations.map(({ run: _, ...operation }) => operation),
      }),
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

const findOperations = createPathMatcher(
  controlOperations.map(
    ({ path }) => [path, controlOperations.filter((operation) => operation.path === path)] as const,
  ),
);

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
  const found = findOperations(path === "/sandbox" ? "/sandbox/" : path);
  const operation = found?.value.find((one) => one.method === method);
  try {
    const shownPath = path.slice(0, 200);
    if (found === undefined)
      throw new ControlError(404, `There is no operation at ${shownPath}.`, "List them with GET /sandbox/.");
    if (operation === undefined)
      return methodNotAllowed(
        request.method,
        shownPath,
        found.value.map((one) => one.method),
      );
    const given =
      method === "GET"
        ? Object.fromEntries(new URLSearchParams(queryOf(request.target)))
        : parseBody(request.body, operation);
    rejectUnknown(operation, given);
    const input = { ...(await validateInput(operation, given)), ...found.parameters };
    return await operation.run(services, input, request);
  } catch (error) {
    if (error instanceof ControlError) return errorJson(error);
    throw error;
  }
}
