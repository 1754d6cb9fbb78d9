import { once } from "node:events";
import type { RequestListener, Server } from "node:http";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { preview } from "astro";
import { type ListenOptions, listenError, type UserError, usageError } from "../../lib/user-error.ts";

/**
 * Checks before the build, which takes a while, that the site can be served.
 * @throws UserError if the port is in use or the host is not an interface of this machine
 */
export async function checkPort({ host, port }: ListenOptions): Promise<void> {
  const probe = createServer().listen(port, host);
  await once(probe, "listening").catch((cause: unknown) => {
    throw cannotServe(cause, { host, port });
  });
  probe.close();
  await once(probe, "close");
}

function cannotServe(cause: unknown, { host, port }: ListenOptions): UserError {
  const { code, message } = cause as NodeJS.ErrnoException;
  const known = listenError(code, { host, port }, cause);
  return known ?? usageError(`cannot serve the site on ${host}:${port}: ${message}`, undefined, cause);
}

/**
 * Serves a built site.
 * @returns its URL, and a promise that resolves after SIGINT, SIGTERM or `close`
 * @throws UserError if the port is in use
 */
export async function serveSite(options: ListenOptions & { folder: string; base: string }) {
  const { folder, base, port, host } = options;
  const server = await preview({
    configFile: false,
    root: dirname(folder),
    outDir: folder,
    // By default it is the folder `public` of the root, which `folder` may be.
    publicDir: join(folder, "none"),
    base,
    trailingSlash: "always",
    logLevel: "error",
    server: { port, host },
    vite: { preview: { strictPort: true } },
  }).catch((cause: unknown) => {
    throw cannotServe(cause, { host, port });
  });
  // Astro has the HTTP server, but not in its types.
  behaveLikeHosts((server as unknown as { server: Server }).server, base);
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => server.stop());
  const name = host.includes(":") ? `[${host}]` : host;
  return { url: `http://${name}:${server.port}${base}`, close: () => server.stop(), closed: server.closed() };
}

/**
 * Redirects `/errors` to `/errors/`, like most static file servers. A file with a hash in its name is never requested again: after a
 * 304 for a font, Chromium warns on each page that the font was preloaded and not used.
 */
function behaveLikeHosts(http: Server, base: string): void {
  const listeners = http.listeners("request") as RequestListener[];
  http.removeAllListeners("request");
  http.on("request", (request, response) => {
    if (request.url?.startsWith(`${base}_astro/`))
      response.setHeader("Cache-Control", "public, max-age=31536000, immutable");
    const [path = "", query] = (request.url ?? "").split("?");
    // Relative to the folder: a path that starts with // would name another host.
    const [name = ""] = /[^/]*$/.exec(path) ?? [];
    if (path.startsWith(base) && !/(\/|\.\w+)$/.test(path))
      response.writeHead(308, { location: `./${name}/${query === undefined ? "" : `?${query}`}` }).end();
    else for (const listener of listeners) listener.call(http, request, response);
  });
}
