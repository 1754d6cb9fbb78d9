import { readFile } from "node:fs/promises";
import { basename, extname } from "node:path";
import { parse } from "yaml";
import { Failure } from "./failure.ts";
import { readBundle } from "./read-bundle.ts";
import { isRecord } from "./reference.ts";
import { type MetricId, measure, type Score, type Share } from "./score/metrics.ts";
import { measuredOn, peers } from "./score/peers.ts";
import { plainTable } from "./table.ts";

const labels: Record<MetricId, string> = {
  operations: "operations",
  summary: "summary",
  description: "description",
  operationId: "operationId",
  tag: "tag",
  requestExample: "request example",
  answerExample: "answer examples",
  clientErrorSchema: "4xx with schema",
  status401: "401",
  status429: "429",
  status5xx: "5xx",
  answerHeaders: "answer headers",
  ability: "ability or scope",
  describedProperties: "described fields",
  boundedStrings: "bounded strings",
  boundedRequestStrings: "- in requests",
  boundedArrays: "bounded arrays",
  boundedRequestArrays: "- in requests",
  links: "links",
};

/** What this contract has to have everywhere. */
export const mustBeFull: readonly MetricId[] = [
  ...(["summary", "description", "operationId", "tag", "requestExample", "answerExample"] as const),
  ...(["clientErrorSchema", "status401", "status429", "status5xx", "answerHeaders"] as const),
  ...(["describedProperties", "boundedRequestStrings", "boundedRequestArrays"] as const),
];

/** One column of the table: a document and its figures, percent or a count. */
interface Column {
  head: string;
  figures: Partial<Record<MetricId, number | undefined>>;
}

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
      files.map(async (file) => column(shortName(file), measure(await read(file)))),
    );
    // Eight columns beside the labels are what 80 characters hold.
    for (let start = 0; start < columns.length; start += 8) print(table(columns.slice(start, start + 8)));
    return 0;
  }
  const score = measure({ ...(await readBundle()) });
  const others = peers.map(({ short, figures }): Column => ({ head: short, figures }));
  print(table([column("here", score), ...others]));
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

/** A share in percent, rounded down to one decimal, so that only what is everywhere is 100. */
export function percent({ part, whole }: Share): number | undefined {
  return whole === 0 ? undefined : Math.floor((part / whole) * 1000) / 10;
}

function column(head: string, score: Score): Column {
  const figures = Object.entries(score).map(([metric, figure]) => [
    metric,
    typeof figure === "number" ? figure : percent(figure),
  ]);
  return { head, figures: Object.fromEntries(figures) };
}

function table(columns: Column[]): string {
  const rows = (Object.keys(labels) as MetricId[]).map((metric) => [
    labels[metric],
    ...columns.map(({ figures }) => figures[metric]?.toString() ?? "-"),
  ]);
  return plainTable({
    head: ["", ...columns.map(({ head }) => head)],
    rows,
    widths: [17, ...columns.map(() => 6)],
    align: ["left", ...columns.map((): "right" => "right")],
  });
}

const legend = `Percent of the places; operations and links are counts. "-": not measured.
Peers, ${measuredOn}; ${peers
  .filter(({ name, short }) => name !== short)
  .map(({ name, short }) => `${short}: ${name}`)
  .reduce((text, name, index) => `${text}${index % 2 === 0 ? "\n" : ", "}${name}`, "short names:")}`;

const shortName = (file: string): string => basename(file, extname(file)).slice(0, 6);
peers.map(({ name, short }) => (name === short ? name : `${short} = ${name}`)).join(", ");

async function read(file: string): Promise<Record<string, unknown>> {
  const text = await readFile(file, "utf8").catch((cause: unknown) => {
    throw new Failure(`${file} cannot be read`, {
      hint: "Give the path of an OpenAPI file.",
      exitStatus: 2,
      cause,
    });
  });
  const document = parsed(text, file);
  if (isRecord(document) && isRecord(document.paths) && "openapi" in document) return document;
  throw new Failure(`${file} is not an OpenAPI 3 document`, {
    hint: "It has no `openapi` or no `paths`.",
    exitStatus: 2,
  });
}

function parsed(text: string, file: string): unknown {
  try {
    return text.trimStart().startsWith("{")
      ? JSON.parse(text)
      : parse(text, { maxAliasCount: -1, logLevel: "error" });
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message.split("\n")[0] : String(cause);
    throw new Failure(`${file} is neither JSON nor YAML: ${reason}`, { exitStatus: 2, cause });
  }
}
