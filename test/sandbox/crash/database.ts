import { mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { type EmbeddedPostgres, startEmbedded } from "../../../sandbox/store/postgres/embedded.ts";

/** A PostgreSQL server that is killed and started again on the same folder. */
export class KilledDatabase {
  readonly folder = mkdtempSync(join(realpathSync(tmpdir()), "sandbox-crash-postgres-"));
  #server: EmbeddedPostgres | undefined;

  /** Starts it. @returns its URL */
  async start(): Promise<string> {
    this.#server = await startEmbedded({ folder: this.folder });
    return this.#server.url;
  }

  /** Ends its processes with kill -9 and starts it again. */
  async restart(): Promise<void> {
    const [line = ""] = readFileSync(join(this.folder, "data", "postmaster.pid"), "utf8").split("\n");
    process.kill(Number(line), "SIGKILL");
    await this.#server?.close();
    // The other processes of the server end a moment later, and until then it does not start.
    for (let attempt = 1; ; attempt += 1) {
      try {
        await this.start();
        return;
      } catch (error) {
        if (attempt === 50) throw error;
        await wait(50);
      }
    }
  }

  async close(): Promise<void> {
    await this.#server?.close();
  }

  remove(): void {
    rmSync(this.folder, { recursive: true });
  }
}
