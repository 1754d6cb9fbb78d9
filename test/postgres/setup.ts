import type { TestProject } from "vitest/node";
import { startPostgres } from "./server.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The URL of the database server of the test run. */
    postgres: string;
  }
}

/** Starts one PostgreSQL server for all tests of a run. */
export async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const server = await startPostgres();
  provide("postgres", server.url);
  return server.close;
}
