import type { ApiRequest } from "./api/context.ts";
import { errorResponse } from "./api/error-response.ts";
import { pathOf } from "./api/path-matcher.ts";
import { isProbe } from "./control/probe-paths.ts";
import type { HttpResponse } from "./http/handler.ts";
import { renderError } from "./responses/response.ts";
import { unnumberedId } from "./store/ids.ts";

const starting = errorResponse("503", "The sandbox is starting.", { "Retry-After": "1" });

/** Responds while a sandbox opens its store, which may take a while: a large file is checked, a database is migrated. */
export async function respondAtStart({ target, method }: ApiRequest): Promise<HttpResponse> {
  const path = pathOf(target);
  if (!isProbe(path)) return renderError(starting, unnumberedId(Date.now()));
  const { probeAtStart } = await import("./control/probes.ts");
  return probeAtStart(path, { method });
}
