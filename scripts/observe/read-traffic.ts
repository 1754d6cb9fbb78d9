import { createReadStream, existsSync } from "node:fs";
import type { Readable } from "node:stream";
import { UserError } from "../../lib/user-error.ts";
import { readHar } from "./read-har.ts";
import { readNdjson } from "./read-ndjson.ts";
import type { TrafficExchange } from "./traffic.ts";

/** The files with recorded traffic; without any, lines are read from standard input. */
export interface TrafficFiles {
  har?: readonly string[];
  ndjson?: readonly string[];
}

/**
 * The exchanges of all files, one after the other.
 * @throws UserError with exit code 2 that names the file that cannot be read
 */
export async function* readTraffic({ har = [], ndjson = [] }: TrafficFiles): AsyncGenerator<TrafficExchange> {
  for (const file of har) yield* fromFile(file, () => readHar(open(file), file));
  for (const file of ndjson) yield* fromFile(file, () => readNdjson(open(file), file));
  if (har.length + ndjson.length === 0) yield* readNdjson(open("-"), "standard input");
}

async function* fromFile(
  file: string,
  read: () => AsyncGenerator<TrafficExchange>,
): AsyncGenerator<TrafficExchange> {
  if (file !== "-" && !existsSync(file))
    throw new UserError(`${file} does not exist`, {
      hint: "Give a file with recorded traffic.",
      exitCode: 2,
    });
  try {
    yield* read();
  } catch (cause) {
    if (cause instanceof UserError) throw cause;
    throw new UserError(`${file} cannot be read`, {
      hint: "--har reads HTTP archives (HAR 1.2), --ndjson one JSON object per line.",
      exitCode: 2,
      cause,
    });
  }
}

function open(file: string): Readable {
  return file === "-" ? process.stdin.setEncoding("utf8") : createReadStream(file, "utf8");
}
