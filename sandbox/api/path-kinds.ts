import { pathOf } from "./path-matcher.ts";

/** Whether a request is to the API, by its target. Most targets are paths: nothing has to be parsed. */
export const isApi = (target: string): boolean =>
  target.startsWith("/api/") || pathOf(target).startsWith("/api/");

/** Whether a path belongs to the control API. */
export const isControl = (path: string): boolean => path === "/sandbox" || path.startsWith("/sandbox/");
