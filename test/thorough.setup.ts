import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { startPostgres } from "./postgres/server.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The URL of the database server of the test run. */
    postgres: string;
    /** The folder of the test run for the packed project. */
    packed: string;
  }
}

/** What all tests of a run share: one PostgreSQL server, and a folder for the packed project. */
export async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const server = await startPostgres();
  const packed = await mkdtemp(join(tmpdir(), "email-api-packed-"));
  provide("postgres", server.url);
  provide("packed", packed);
  return async () => {
    await server.close();
    await rm(packed, { recursive: true, force: true });
  };
}
