import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { UserError } from "../../../lib/user-error.ts";
import type { Binaries, User } from "./embedded-binaries.ts";

/** The most bytes in the path of a socket, on any system. */
const longestPath = 103;

/** Creates the data, unless there is any. Who may enter its folder may use the database. */
export async function createData(
  { initdb }: Binaries,
  { folder, data, port, user }: { folder: string; data: string; port: number; user: User },
): Promise<void> {
  if (Buffer.byteLength(join(data, `.s.PGSQL.${port}`)) > longestPath)
    throw new UserError(`the path of the folder ${folder} is too long for a socket`, {
      hint: "Set TMPDIR to a shorter one, or give the URL of a database.",
    });
  if (existsSync(join(data, "PG_VERSION"))) return;
  const options = ["--username=sandbox", "--auth-local=trust", "--auth-host=reject"];
  const storage = ["--no-locale", "--encoding=UTF8", "--no-sync"];
  try {
    await promisify(execFile)(initdb, [`--pgdata=${data}`, ...options, ...storage], { ...user });
  } catch (cause) {
    throw notStarted(folder, (cause as { stderr?: string }).stderr ?? String(cause), cause);
  }
}

export const notStarted = (folder: string, output: string, cause?: unknown): UserError =>
  new UserError(`PostgreSQL does not start in ${folder}: ${output.trim().split("\n").at(-1)}`, {
    hint: "Set TMPDIR to another folder, or give the URL of a database.",
    cause,
  });
