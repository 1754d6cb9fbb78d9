import type { ApiRequest, Services } from "./api/context.ts";
import { ErrorResponse } from "./api/error-response.ts";
import { pathOf } from "./api/router.ts";
import { isApi } from "./handle.ts";
import { largestBody } from "./http/body.ts";
import { findRoute } from "./middleware/address.ts";
import { findKey } from "./middleware/key.ts";

/** The largest body of a control call or a form, in bytes: they hold a few short fields. */
const largestBeside = 1024 * 1024;

/**
 * Makes what tells how much of a request's body is worth reading. Of one whose address, method or key refuses it, whatever its body says,
 * that is nothing.
 *
 * @returns a function from all of a request but its body to a number of bytes
 */
export function createBodyLimit(
  parts: Pick<Services, "clock" | "directory">,
): (request: Omit<ApiRequest, "body">) => number {
  return ({ method, target, headers }) => {
    if (!isApi(target)) return largestBeside;
    if (findRoute(method, pathOf(target)) instanceof ErrorResponse) return 0;
    const key = findKey(headers.authorization, parts.directory, parts.clock.now());
    return key instanceof ErrorResponse ? 0 : largestBody;
  };
}
