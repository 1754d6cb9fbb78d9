import { isAbsolute, relative } from "node:path";
import { root } from "./paths.ts";

/** A file as messages name it: relative to the package (`openapi/paths/emails.yaml`) where it lies in it. */
export function shown(file: string): string {
  const path = relative(root, file);
  return path.startsWith("..") || isAbsolute(path) ? file : path.replaceAll("\\", "/");
}
