import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import { type Counts, durationBounds } from "./counts.ts";

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
  const text = await Registry.merge([own, ofProcess]).metrics();
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
  registry.registerMetric(new Durations(operations));
}

const described = {
  name: `${prefix}request_duration_seconds`,
  help: "How long requests to operations of the API took.",
};

/** A histogram of what has been counted already; prom-client itself only counts. */
class Durations extends Histogram<"method" | "path"> {
  readonly #operations: Counts["operations"];

  constructor(operations: Counts["operations"]) {
    super({ ...described, labelNames: ["method", "path"], registers: [] });
    this.#operations = operations;
  }

  /** What prom-client calls to render a histogram, though its types do not say so. */
  getForPromString() {
    return { ...described, type: "histogram", values: this.#values(described.name) };
  }

  #values(name: string) {
    return [...this.#operations].flatMap(([{ method, path }, { byStatus, byDuration, seconds }]) => {
      const labels = { method, path };
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
    });
  }
}
