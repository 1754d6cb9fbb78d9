import { basename, extname } from "node:path";
import { readBundle } from "./document/read-bundle.ts";
import { type MetricId, measure, type Score, type Share } from "./score/metrics.ts";
import { peers } from "./score/peers.ts";
import { readDocument } from "./score/read.ts";
import { type Column, column, labels, legend, scoreTable } from "./score/table.ts";

/** What this contract has to have everywhere. */
export const mustBeFull: readonly MetricId[] = [
  "summary",
  "description",
  "operationId",
  "tag",
  "requestExample",
  "answerExample",
  "clientErrorSchema",
  "status401",
  "status429",
  "status5xx",
  "answerHeaders",
  "describedProperties",
  "boundedRequestStrings",
  "boundedRequestArrays",
];

/**
 * The `score` verb: prints how much of a document is described, bounded and exemplified, in percent of the places
 * where it could be. Without files it measures the bundle beside its peers, and the status is 1 when something
 * that must be everywhere is not. With files it prints theirs, and the status is 0.
 *
 * @param files OpenAPI documents, bundled, in JSON or YAML
 * @throws Failure when there is no bundle, or a file cannot be read or is no OpenAPI document
 */
export async function runScore(
  files: string[] = [],
  print = (text: string): void => console.log(text),
): Promise<number> {
  if (files.length > 0) {
    const columns = await Promise.all(
      files.map(async (file) => column(shortName(file), measure(await readDocument(file)))),
    );
    // Eight columns beside the labels are what 80 characters hold.
    for (let start = 0; start < columns.length; start += 8)
      print(scoreTable(columns.slice(start, start + 8)));
    return 0;
  }
  const score = measure({ ...(await readBundle()) });
  const others = peers.map(({ short, figures }): Column => ({ head: short, figures }));
  print(scoreTable([column("here", score), ...others]));
  print(`\n${legend}`);
  const gaps = gapsIn(score);
  if (gaps.length > 0) print(`\nUnder 100 where it must be 100:\n${gaps.join("\n")}`);
  return gaps.length > 0 ? 1 : 0;
}

/** What falls short of 100 though it must not, one line each with the first places where it is missing. */
export function gapsIn(score: Score): string[] {
  return mustBeFull.flatMap((metric) => {
    const { part, whole, missing } = score[metric] as Share;
    if (part === whole) return [];
    const more = missing.length > 3 ? ` and ${missing.length - 3} more` : "";
    return [`${labels[metric]} (${part} of ${whole}): ${missing.slice(0, 3).join(", ")}${more}`];
  });
}

const shortName = (file: string): string => basename(file, extname(file)).slice(0, 6);
