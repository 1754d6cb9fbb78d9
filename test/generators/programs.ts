import { spawnSync } from "node:child_process";
import type { Tool } from "./generator.ts";

/** The Debian package of a program; a library is named as its package. */
const debianPackages: Readonly<Record<string, string>> = {
  cargo: "cargo",
  composer: "composer",
  go: "golang-go",
  java: "default-jdk-headless",
  javac: "default-jdk-headless",
  mvn: "maven",
  npm: "npm",
  php: "php-cli",
  "php-curl": "php-curl",
  "php-guzzlehttp-guzzle": "php-guzzlehttp-guzzle",
  "php-mbstring": "php-mbstring",
  python3: "python3-venv",
  ruby: "ruby",
  "ruby-typhoeus": "ruby-typhoeus",
};

/** How a program prints its version, and where newer ones than those of Debian are. */
const versioned: Readonly<Record<string, { option: string; page: string }>> = {
  cargo: { option: "--version", page: "https://rustup.rs" },
  go: { option: "version", page: "https://go.dev/dl" },
  java: { option: "-version", page: "https://adoptium.net" },
  php: { option: "--version", page: "https://www.php.net/downloads" },
  python3: { option: "--version", page: "https://www.python.org/downloads" },
  ruby: { option: "--version", page: "https://www.ruby-lang.org/en/downloads" },
};

/** Why a tool cannot run. */
export interface Unusable {
  /** What is missing or too old, and what installs it. */
  detail: string;
  /** Whether a program is missing, and none is too old. */
  isMissing: boolean;
}

const isInstalled = (program: string): boolean =>
  spawnSync("sh", ["-c", 'command -v "$0" || dpkg -s "$0"', program], { stdio: "ignore" }).status === 0;

/** What a tool needs and the machine does not have; undefined if it has everything. */
export function unusablePrograms({
  needs,
  versions = {},
}: Pick<Tool, "needs" | "versions">): Unusable | undefined {
  const missing = needs.filter((program) => !isInstalled(program));
  const old = Object.entries(versions).flatMap(([program, needed]) =>
    missing.includes(program) ? [] : (tooOld(program, needed) ?? []),
  );
  if (missing.length === 0 && old.length === 0) return undefined;
  return { detail: [...missingText(missing), ...old].join("; "), isMissing: old.length === 0 };
}

/** `go is missing: apt-get install golang-go` */
function missingText(missing: string[]): string[] {
  if (missing.length === 0) return [];
  const packages = missing.flatMap((program) => debianPackages[program] ?? []);
  const hint = packages.length === 0 ? "" : `: apt-get install ${packages.join(" ")}`;
  return [`${missing.join(", ")} is missing${hint}`];
}

/** `cargo 1.63.0 is too old, 1.88 is needed: install it from https://rustup.rs`; undefined if the program is new enough. */
function tooOld(program: string, needed: string): string | undefined {
  const { option, page } = versioned[program] ?? { option: "--version", page: undefined };
  const { stdout, stderr } = spawnSync(program, [option], { encoding: "utf8" });
  const [found] = /\d+(\.\d+)*/.exec(`${stdout}${stderr}`) ?? [];
  if (found === undefined || isAtLeast(found, needed)) return undefined;
  return `${program} ${found} is too old, ${needed} is needed${page === undefined ? "" : `: install it from ${page}`}`;
}

/** Whether a version such as `1.63.0` is the needed one, such as `1.88`, or a later one. */
function isAtLeast(found: string, needed: string): boolean {
  const [own, other] = [found, needed].map((version) => version.split(".").map(Number));
  const index = other?.findIndex((part, at) => part !== (own?.[at] ?? 0)) ?? -1;
  return index === -1 || (own?.[index] ?? 0) > (other?.[index] ?? 0);
}
