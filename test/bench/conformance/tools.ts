import { join } from "node:path";
import packageJson from "../../../package.json" with { type: "json" };
import { startServer } from "../child.ts";
import { redoclyVersion, runDrift, runRespect } from "./redocly.ts";
import type { Outcome, Results, Tool } from "./results.ts";
import { runSchemathesis, schemathesisVersion } from "./schemathesis.ts";
import type { ListedServer } from "./servers.ts";
import { runSuite } from "./suite.ts";

export interface Means {
  tools: readonly Tool[];
  /** For each server. */
  seconds: number;
  /** For temporary files. */
  folder: string;
  /** The command of Schemathesis. */
  schemathesis: string;
}

/** The versions of the tools. */
export async function versionsOf(tools: readonly Tool[]): Promise<Results["versions"]> {
  const redocly = await redoclyVersion();
  const versions: Record<Tool, string> = {
    ...{ suite: packageJson.version, schemathesis: schemathesisVersion },
    ...{ drift: redocly, respect: redocly },
  };
  return Object.fromEntries(tools.map((tool) => [tool, versions[tool]]));
}

/** Runs tools on a server, each on a new one of its own; but what `drift` reads is the traffic of the suite. */
export async function runTools(server: ListedServer, means: Means): Promise<Outcome[]> {
  const { tools } = means;
  const outcomes: Outcome[] = [];
  if (tools.includes("suite") || tools.includes("drift"))
    outcomes.push(...(await runOnTraffic(server, means)));
  if (tools.includes("schemathesis")) outcomes.push(await runAlone(server, "schemathesis", means));
  if (tools.includes("respect")) outcomes.push(await runAlone(server, "respect", means));
  return outcomes;
}

const start = ({ kind, index }: ListedServer) =>
  startServer(join(import.meta.dirname, "server.ts"), [kind, String(index)]);

const since = (began: number): number => (performance.now() - began) / 1000;

async function runOnTraffic(server: ListedServer, { tools, seconds, folder }: Means): Promise<Outcome[]> {
  const child = await start(server);
  try {
    const began = performance.now();
    const findings = await runSuite(child.url, seconds);
    const ofSuite = { ...server, seconds: since(began), ...(await child.ask<{ requests: number }>({})) };
    const suite: Outcome = { ...ofSuite, tool: "suite", findings };
    if (!tools.includes("drift")) return [suite];
    const har = join(folder, "traffic.har");
    await child.ask({ har });
    const then = performance.now();
    const differences = await runDrift(har, child.url, folder);
    const drift: Outcome = {
      ...{ ...ofSuite, tool: "drift", findings: differences },
      seconds: ofSuite.seconds + since(then),
    };
    return tools.includes("suite") ? [suite, drift] : [drift];
  } finally {
    await child.stop();
  }
}

async function runAlone(
  server: ListedServer,
  tool: "schemathesis" | "respect",
  { seconds, folder, schemathesis }: Means,
): Promise<Outcome> {
  const child = await start(server);
  try {
    const began = performance.now();
    const findings =
      tool === "respect"
        ? await runRespect(child.url, seconds, folder)
        : await runSchemathesis(schemathesis, child.url, seconds, folder);
    return {
      ...server,
      tool,
      findings,
      seconds: since(began),
      ...(await child.ask<{ requests: number }>({})),
    };
  } finally {
    await child.stop();
  }
}
