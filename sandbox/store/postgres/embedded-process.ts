import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { User } from "./embedded-binaries.ts";

/**
 * Runs the server and stops it when the input ends, which it does however the process that has started it ends. Its own process group: Ctrl+C
 * stops the sandbox first.
 */
const supervisor = `
log=$1 temporary=$2; shift 2
exec 3<&0
"$@" > "$log" 2>&1 3<&- &
server=$!
(cat <&3 > /dev/null; kill -INT $server) &
watcher=$!
exec 3<&-
wait $server
code=$?
# If the server ends by itself, its number may be that of another process later.
kill $watcher 2> /dev/null
[ -z "$temporary" ] || rm -rf "$temporary"
exit $code
`;

/** Starts the server in a folder; a temporary one is deleted when the server ends. */
export function supervise(
  command: string[],
  { folder, isTemporary, user }: { folder: string; isTemporary: boolean; user: User },
): ChildProcess {
  const parameters = [join(folder, "log"), isTemporary ? folder : "", ...command];
  const server = spawn("sh", ["-c", supervisor, "sh", ...parameters], {
    ...user,
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
  });
  server.unref();
  return server;
}

export const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean =>
  exitCode !== null || signalCode !== null;

export async function stop(server: ChildProcess): Promise<void> {
  const exit = hasEnded(server) ? undefined : once(server, "exit");
  server.ref();
  server.stdin?.destroy();
  await exit;
}
