import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { exampleTime } from "../../../generated/examples.ts";
import { operations } from "../../../generated/operations.ts";
import { plainTable } from "../../../lib/table.ts";
import { startSandbox } from "../../../sandbox/index.ts";
import demo from "../../../sandbox/seed/demo.json" with { type: "json" };
import { generatedFolder } from "../../../scripts/common/paths.ts";

/**
 * Runs Schemathesis, which must be on the path, on a sandbox at the time of the examples, with the options of schemathesis.toml.
 *
 * @returns its exit code, and the number of accepted requests by operation
 */
async function runSchemathesis(): Promise<{ code: number; accepted: Map<string, number> }> {
  const sandbox = await startSandbox({
    clock: { frozen: true, startAt: Date.parse(exampleTime) },
    // More than it sends.
    requestsPerMinute: Object.fromEntries(demo.accounts.map(({ id }) => [id, 1_000_000])),
  });
  const folder = await mkdtemp(join(tmpdir(), "schemathesis-"));
  const [document, accepted] = [join(generatedFolder, "openapi.json"), join(folder, "accepted.json")];
  const configuration = join(import.meta.dirname, "schemathesis.toml");
  const key = `Authorization: Bearer ${demo.accounts[0]?.keys[0]?.key}`;
  try {
    const child = spawn(
      "schemathesis",
      ["--config-file", configuration, "run", document, "--url", sandbox.url, "-H", key],
      {
        // It writes its cache where it runs.
        cwd: folder,
        env: {
          ...process.env,
          DOCUMENT: document,
          ACCEPTED: accepted,
          PYTHONPATH: import.meta.dirname,
          PYTHONDONTWRITEBYTECODE: "1",
        },
        stdio: ["ignore", "inherit", "inherit"],
      },
    );
    const [code] = await once(child, "close");
    const counts: Record<string, number> = JSON.parse(await readFile(accepted, "utf8"));
    return { code, accepted: new Map(Object.entries(counts)) };
  } finally {
    await sandbox.close();
    await rm(folder, { recursive: true });
  }
}

const { code, accepted } = await runSchemathesis();
const rows = Object.keys(operations).map((id) => [id, String(accepted.get(id) ?? 0)]);
console.log(
  plainTable({ head: ["Operation", "Accepted requests"], rows, widths: [30, 20], align: ["left", "right"] }),
);
const without = rows.filter(([, count]) => count === "0").map(([id]) => id);
if (without.length > 0) console.error(`no request to ${without.join(", ")} was accepted`);
process.exitCode = code === 0 && without.length === 0 ? 0 : 1;
