import { once } from "node:events";
import { createServer } from "node:net";
import { dirname } from "node:path";
import { preview } from "astro";
import { UserError } from "../../lib/user-error.ts";

/** A folder of pages and how to show it. */
export interface ServeOptions {
  folder: string;
  base: string;
  /** 0 takes any free port. */
  port: number;
  host: string;
}

/**
 * Whether a site could be shown there: asked before a build, which takes a while.
 *
 * @throws Failure when the port is taken, or the machine has no such address
 */
export async function checkPlace({ host, port }: Pick<ServeOptions, "host" | "port">): Promise<void> {
  const probe = createServer().listen(port, host);
  await once(probe, "listening").catch((cause: unknown) => {
    const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
    throw notShown(host, port, code === "EADDRINUSE" ? "the port is taken" : String(cause), cause);
  });
  probe.close();
  await once(probe, "close");
}

const notShown = (host: string, port: number, reason: string, cause: unknown): UserError =>
  new UserError(`the site cannot be shown at ${host}:${port}: ${reason}`, {
    hint: "Give another port with --port; 0 takes any free one.",
    exitCode: 2,
    cause,
  });

/**
 * Serves a built site.
 *
 * @returns its address, and a promise that is kept once it has been told to stop (SIGINT, SIGTERM)
 * @throws Failure when the port is taken
 */
export async function serveSite(
  options: ServeOptions,
): Promise<{ url: string; close(): Promise<void>; closed: Promise<void> }> {
  const { folder, base, port, host } = options;
  const server = await preview({
    configFile: false,
    root: dirname(folder),
    outDir: folder,
    base,
    trailingSlash: "always",
    logLevel: "error",
    server: { port, host },
    vite: { preview: { strictPort: true } },
  }).catch((cause: unknown) => {
    throw notShown(host, port, String(cause), cause);
  });
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => server.stop());
  const name = host.includes(":") ? `[${host}]` : host;
  return { url: `http://${name}:${server.port}${base}`, close: () => server.stop(), closed: server.closed() };
}
