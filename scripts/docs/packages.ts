import { findPackageJSON } from "node:module";
import { UserError } from "../../lib/user-error.ts";
import packageJson from "../../package.json" with { type: "json" };

const { vitest: _, ...packages } = packageJson.peerDependencies;

/** @throws UserError if a package that only the site needs is not installed */
export function requirePackages(): void {
  const missing = Object.entries(packages).filter(([name]) => !isInstalled(name));
  if (missing.length === 0) return;
  const list = missing.map(([name, version]) => `${name}@${version}`).join(" ");
  throw new UserError("packages that build the site are not installed", {
    hint: `Run this command, then the same one again:\n  npm install --save-dev --save-exact ${list}`,
    exitCode: 2,
  });
}

function isInstalled(name: string): boolean {
  try {
    return findPackageJSON(name, import.meta.url) !== undefined;
  } catch {
    return false;
  }
}
