import { existsSync, mkdtempSync, renameSync, rmSync, watch, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { type EmbeddedPostgres, startEmbedded } from "../../../../sandbox/store/postgres/embedded.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Where a test asks for the database server of the run, and finds its URL. */
    postgresFolder: string;
  }
}

/** Starts one PostgreSQL server for all tests of a run, once the first of them wants it. */
export function setup({ provide }: TestProject): () => Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "tests-postgres-"));
  provide("postgresFolder", folder);
  let server: Promise<EmbeddedPostgres> | undefined;
  const watching = watch(folder, () => {
    if (server !== undefined || !existsSync(join(folder, "wanted"))) return;
    server = startEmbedded({ settings: { max_connections: "300" } });
    server.then(
      ({ url }) => report(folder, { url }),
      (error) => report(folder, { error: String(error) }),
    );
  });
  return async () => {
    watching.close();
    rmSync(folder, { recursive: true, force: true });
    await (await server?.catch(() => undefined))?.close();
  };
}

function report(folder: string, content: object): void {
  const file = join(folder, "address.json");
  writeFileSync(`${file}.part`, JSON.stringify(content));
  renameSync(`${file}.part`, file);
}
