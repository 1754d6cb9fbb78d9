import { parseArgs } from "node:util";
import type { Mismatch } from "../../../contract/model/walk.ts";
import { wholeNumber } from "../../../scripts/common/program.ts";
import { exitCodeOf } from "../../exit-code.ts";
import { exploreSandbox } from "./explore.ts";

const usage = `Usage: npm run model -- [options]

Compares random sequences of requests to the sandbox with the model of the
service, half of the time for each product.

  --seconds <number>    time in all (default: 60)
  --sequences <number>  sequences per product (default: as many as there is time)
  --seed <number>       of the first sequence (default: another one each time)
  --help                show this help`;

/** The requests of a mismatch in order, and what is wrong with the last response. */
function textOf({ ids, expected, found, exchanges }: Mismatch): string {
  const requests = exchanges.flatMap(({ hooks = [], request, sent, status }) => [
    ...hooks.map((hook) => `  hook ${hook}`),
    `  ${request.method} ${request.path} (key ${String(request.key ?? "full")}) ${sent.text ?? ""} -> ${status}`,
  ]);
  return [`${ids.join(" ")}: expected ${expected}, found ${found}`, ...requests].join("\n");
}

/** @returns whether every response matches the model */
async function main(): Promise<boolean> {
  const [text, flag] = [{ type: "string" } as const, { type: "boolean" } as const];
  const { values } = parseArgs({
    options: { seconds: text, sequences: text, seed: text, help: flag },
  });
  if (values.help === true) {
    console.log(usage);
    return true;
  }
  const number = (name: "seconds" | "sequences" | "seed", otherwise: number): number =>
    values[name] === undefined ? otherwise : wholeNumber(`--${name}`)(values[name]);
  const seconds = number("seconds", 60) / 2;
  const sequences = number("sequences", Number.POSITIVE_INFINITY);
  const seed = number("seed", 1 + Math.floor(Math.random() * 1_000_000_000));
  console.log(`Seed ${seed}`);
  let isRight = true;
  for (const product of ["email", "newsletter"] as const) {
    const found = await exploreSandbox({ product, seconds, sequences, seed });
    const { steps, stepsPerSecond, failures } = found;
    console.log(
      `${product}: ${found.sequences} sequences, ${steps} steps, ${stepsPerSecond} steps per second`,
    );
    isRight &&= failures.length === 0;
    for (const failure of failures) {
      const again = failure.isRepeatable ? "Repeat:" : "It did not show again.";
      console.log(`${textOf(failure)}\n${again} npm run model -- --seed ${failure.seed} --sequences 1`);
    }
  }
  return isRight;
}

process.exitCode = await exitCodeOf(main);
