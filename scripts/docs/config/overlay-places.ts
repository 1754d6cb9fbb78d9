import { isDeepStrictEqual } from "node:util";
import type { Position } from "../../../lib/yaml-source.ts";
import type { OpenApiDocument } from "../../document/types.ts";
import { applyOverlay } from "./overlay.ts";

/**
 * Where an overlay changes a document.
 *
 * @param file of the overlay, absolute
 * @returns the file, and for a path into the changed document the position of the last action that changed the nearest place
 */
export async function overlayPlaces(
  document: OpenApiDocument,
  file: string,
): Promise<{ file: string; positionOf(path: readonly string[]): Position }> {
  const { states, source } = await applyOverlay(document, file);
  const changes = states.map((state, index) => changed(states[index - 1] ?? document, state));
  return {
    file: source.name,
    positionOf(path) {
      const depths = changes.map((paths) => Math.max(0, ...paths.map((one) => shared(one, path))));
      const action = depths.lastIndexOf(Math.max(...depths));
      return source.positionOf(["actions", action]);
    },
  };
}

/** The paths of the values that differ, as deep as possible. */
function changed(before: unknown, after: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (isDeepStrictEqual(before, after)) return [];
  if (!isContainer(before) || !isContainer(after)) return [path];
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].flatMap((name) => changed(before[name], after[name], [...path, name]));
}

const isContainer = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;

/** How many names two paths have in common at their start. */
function shared(one: readonly string[], other: readonly string[]): number {
  const end = one.findIndex((name, index) => name !== other[index]);
  return end < 0 ? one.length : end;
}
