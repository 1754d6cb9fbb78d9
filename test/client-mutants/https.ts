import { violating } from "./client-mutant.ts";
import { sendBySocket } from "./in-process/sockets.ts";

const gen2 = violating("GEN-2");

const toHttp = (url: string): string => url.replace(/^https:/, "http:");

/** Encryption. */
export const httpsMutants = [
  gen2.sends("sends over http if the base URL has https", ({ url }) => ({ url: toHttp(url) })),
  gen2.transmits("accepts any certificate", (request) =>
    sendBySocket(request, { rejectUnauthorized: false }),
  ),
  gen2.transmits("sends again over http if https fails", async (request, next) => {
    try {
      return await next(request);
    } catch (error) {
      if (!request.url.startsWith("https:")) throw error;
      return next({ ...request, url: toHttp(request.url) });
    }
  }),
  gen2.transmits("sends again without checking the certificate if https fails", async (request, next) => {
    try {
      return await next(request);
    } catch (error) {
      if (!request.url.startsWith("https:")) throw error;
      return sendBySocket(request, { rejectUnauthorized: false });
    }
  }),
];
