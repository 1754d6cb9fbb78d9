import { AggregatorRegistry, Counter, collectDefaultMetrics, Gauge, Registry } from "prom-client";
import { type Counts, durationBounds, type OperationCounts } from "./counts.ts";

/**
 * Metrics of the process: memory, processor, event loop. It has one set, however many sandboxes it runs. Processor time and garbage collections
 * are counted from here on.
 */
const ofProcess = new Registry();
collectDefaultMetrics({ register: ofProcess });

/** Metrics in the text format of Prometheus. */
export interface RenderedMetrics {
  contentType: string;
  text: string;
}

/** @param workspaces how many there are; undefined if the store does not tell */
export async function renderMetrics(
  counts: Counts,
  workspaces: number | undefined,
): Promise<RenderedMetrics> {
  const own = new Registry();
  addRequests(own, counts);
  addCounter(own, "messages_accepted_total", "Messages accepted by a send.", counts.messages);
  addCounter(own, "due_steps_total", "Changes of messages at their due times.", counts.dueSteps);
  addCounter(own, "store_errors_total", "Errors of the store.", counts.storeErrors);
  if (workspaces !== undefined) {
    const help = "Workspaces that exist, on all instances.";
    new Gauge({ name: `${prefix}workspaces`, help, registers: [own] }).set(workspaces);
  }
  const text = await Registry.merge([own, durations(counts), ofProcess]).metrics();
  return { contentType: own.contentType, text };
}

const prefix = "email_sandbox_";

function addCounter(registry: Registry, name: string, help: string, value: number): void {
  new Counter({ name: prefix + name, help, registers: [registry] }).inc(value);
}

function addRequests(registry: Registry, { operations, withoutOperation }: Counts): void {
  const registers = [registry];
  const requests = new Counter({
    ...{ name: `${prefix}requests_total`, help: "Requests to operations of the API.", registers },
    labelNames: ["method", "path", "status"],
  });
  for (const [{ method, path }, { byStatus }] of operations)
    for (const [status, count] of byStatus) requests.inc({ method, path, status }, count);
  const rejected = new Counter({
    name: `${prefix}requests_without_operation_total`,
    help: "Requests with an unknown path, method or host, or that could not be read.",
    ...{ labelNames: ["status"], registers },
  });
  for (const [status, count] of withoutOperation) rejected.inc({ status }, count);
}

/**
 * A histogram of what has been counted already. A `Histogram` of prom-client only counts by itself, so this one is made like those of another
 * process are: from JSON.
 */
function durations({ operations }: Counts): Registry {
  const name = `${prefix}request_duration_seconds`;
  const values = [...operations].flatMap(([{ method, path }, counts]) =>
    histogram(name, { method, path }, counts),
  );
  const help = "How long requests to operations of the API took.";
  return AggregatorRegistry.aggregate([[{ name, help, type: "histogram", aggregator: "sum", values }]]);
}

function histogram(name: string, labels: Record<string, string>, counts: OperationCounts) {
  const { byStatus, byDuration, seconds } = counts;
  const count = [...byStatus.values()].reduce((sum, one) => sum + one, 0);
  let atMost = 0;
  const buckets = durationBounds.map((le, index) => {
    atMost += byDuration[index] ?? 0;
    return { metricName: `${name}_bucket`, labels: { ...labels, le }, value: atMost };
  });
  return [
    ...buckets,
    { metricName: `${name}_bucket`, labels: { ...labels, le: "+Inf" }, value: count },
    { metricName: `${name}_sum`, labels, value: seconds },
    { metricName: `${name}_count`, labels, value: count },
  ];
}
