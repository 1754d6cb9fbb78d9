import { basename, extname } from "node:path";
import { readBundle } from "../document/read-bundle.ts";
import { type MetricId, measure, type Score, type Share } from "./metrics.ts";
import { peers } from "./peers.ts";
import { readDocument } from "./read.ts";
import { type Column, column, labels, legend, scoreTable } from "./table.ts";

/** The metrics that must be 100 for this contract. */
export const requiredMetrics: readonly MetricId[] = [
  "summary",
  "description",
  "operationId",
  "tag",
  "requestExample",
  "responseExample",
  "clientErrorSchema",
  "status401",
  "status429",
  "status5xx",
  "responseHeaders",
  "describedProperties",
  "boundedRequestStrings",
  "boundedRequestArrays",
];

/**
 * The `score` command: prints how much of a document is described, bounded and has examples, in percent. Without files it
 * measures the bundle and shows its peers, and the exit code is 1 if a required metric is below 100. With files it
 * prints their figures, and the exit code is 0.
 *
 * @param files OpenAPI documents, bundled, in JSON or YAML
 * @throws UserError if there is no bundle, or a file cannot be read or is not an OpenAPI document
 */
export async function runScore(
  files: string[] = [],
  print = (text: string): void => console.log(text),
): Promise<number> {
  if (files.length > 0) {
    const columns = await Promise.all(
      files.map(async (file) => column(shortName(file), measure(await readDocument(file)))),
    );
    // 80 characters have room for the labels and eight columns.
    for (let start = 0; start < columns.length; start += 8)
      print(scoreTable(columns.slice(start, start + 8)));
    return 0;
  }
  const score = measure({ ...(await readBundle()) });
  const others = peers.map(({ head, figures }): Column => ({ head, figures }));
  print(scoreTable([column("here", score), ...others]));
  print(`\n${legend}`);
  const gaps = gapsIn(score);
  if (gaps.length > 0) print(`\nBelow 100, but must be 100:\n${gaps.join("\n")}`);
  return gaps.length > 0 ? 1 : 0;
}

/** The required metrics below 100, one line each, with the first nodes that lack it. */
export function gapsIn(score: Score): string[] {
  return requiredMetrics.flatMap((metric) => {
    const { part, whole, missing } = score[metric] as Share;
    if (part === whole) return [];
    const more = missing.length > 3 ? ` and ${missing.length - 3} more` : "";
    return [`${labels[metric]} (${part} of ${whole}): ${missing.slice(0, 3).join(", ")}${more}`];
  });
}

const shortName = (file: string): string => basename(file, extname(file)).slice(0, 6);
