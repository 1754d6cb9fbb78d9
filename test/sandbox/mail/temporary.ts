import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach } from "vitest";
import { type SmtpHost, startSmtpHost } from "./smtp-host.ts";

/** What each test of a file has of its own, and what ends after it. */
export interface Temporary {
  /** A folder for data. */
  readonly data: string;
  /** What to end after the test, the last one first. */
  opened: (() => unknown)[];
  /** Starts an SMTP server that closes after the test. */
  start(...manners: Parameters<typeof startSmtpHost>): Promise<SmtpHost>;
}

/** Gives each test of a file a folder and SMTP servers of its own; call it at the top level. */
export function temporaryMail(): Temporary {
  let data = "";
  const opened: Temporary["opened"] = [];
  beforeEach(() => {
    data = mkdtempSync(path.join(tmpdir(), "sandbox-mail-"));
  });
  afterEach(async () => {
    for (const end of opened.splice(0).reverse()) await end();
    rmSync(data, { recursive: true });
  });
  return {
    get data() {
      return data;
    },
    opened,
    async start(...manners) {
      const host = await startSmtpHost(...manners);
      opened.push(host.close);
      return host;
    },
  };
}
