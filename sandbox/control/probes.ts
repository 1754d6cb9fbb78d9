import type { ApiRequest } from "../api/context.ts";
import { problemOf } from "../store/check.ts";
import type { GatewayServices, Instance } from "./operation.ts";
import type { ProbePath } from "./probe-paths.ts";
import { commonHeaders, json, methodNotAllowed, retrySoon, type SiteResponse } from "./response.ts";

type ProbedServices = Pick<GatewayServices, "store" | "instance">;

const unavailable = (problem: object): SiteResponse => json(problem, 503, retrySoon);

/** Whether the sandbox and its store respond. */
export async function health({ store }: ProbedServices): Promise<SiteResponse> {
  const problem = await problemOf(store);
  return problem === undefined ? json({ status: "ok" }) : unavailable({ status: "failing", problem });
}

/** Whether the process responds. Restarting it would not bring back a store that is away, so the store is not asked. */
const live = (): SiteResponse => json({ status: "live" });

/** Whether requests should be sent to this instance: not while it starts or closes, or cannot write its store. */
async function ready({ store, instance }: ProbedServices): Promise<SiteResponse> {
  const isRunning = instance === undefined || instance.phase === "running";
  const reason = isRunning
    ? await problemOf(store).catch((error: Error) => error.message)
    : `The sandbox is ${instance.phase}.`;
  return reason === undefined ? json({ status: "ready" }) : notReady(reason);
}

const notReady = (reason: string): SiteResponse => unavailable({ status: "not ready", reason });

const probes: Record<ProbePath, (services: ProbedServices) => SiteResponse | Promise<SiteResponse>> = {
  "/health": health,
  "/health/live": live,
  "/health/ready": ready,
};

const isRead = (method: string): boolean => method === "GET" || method === "HEAD";

export const probe = (
  path: ProbePath,
  services: ProbedServices,
  { method }: Pick<ApiRequest, "method">,
): SiteResponse | Promise<SiteResponse> =>
  isRead(method) ? probes[path](services) : methodNotAllowed(method, path, ["GET", "HEAD"]);

/** A probe before there is a store. */
export function probeAtStart(path: ProbePath, { method }: Pick<ApiRequest, "method">): SiteResponse {
  if (!isRead(method)) return methodNotAllowed(method, path, ["GET", "HEAD"]);
  return path === "/health/live" ? live() : notReady("The sandbox is starting.");
}

/** The metrics of an instance, for Prometheus. */
export async function metrics(
  { counts }: Instance,
  { workspaces }: Pick<GatewayServices, "workspaces">,
  { method }: Pick<ApiRequest, "method">,
): Promise<SiteResponse> {
  if (!isRead(method)) return methodNotAllowed(method, "/metrics", ["GET", "HEAD"]);
  const { renderMetrics } = await import("../metrics/render.ts");
  // Metrics are most needed while the store is away: it is not asked.
  const { contentType, text } = await renderMetrics(counts, workspaces?.known);
  return { status: 200, headers: { ...commonHeaders, "content-type": contentType }, body: text };
}
