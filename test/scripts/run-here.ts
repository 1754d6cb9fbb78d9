import { stripVTControlCharacters } from "node:util";
import { vi } from "vitest";
import { run } from "../../scripts/cli.ts";

/** How a command ended: its exit code, and what it wrote to standard output and standard error, without colors. */
export interface Outcome {
  status: number;
  out: string;
  err: string;
}

/**
 * Runs the command line in this process, which saves loading everything again. One at a time: everything written
 * meanwhile is captured.
 */
export async function runHere(...words: string[]): Promise<Outcome> {
  const text = { out: "", err: "" };
  const keep = (name: keyof typeof text, end: string) => (piece: unknown) => {
    text[name] += `${String(piece)}${end}`;
    return true;
  };
  const spies = [
    vi.spyOn(console, "log").mockImplementation(keep("out", "\n")),
    vi.spyOn(console, "error").mockImplementation(keep("err", "\n")),
    vi.spyOn(process.stdout, "write").mockImplementation(keep("out", "")),
    vi.spyOn(process.stderr, "write").mockImplementation(keep("err", "")),
  ];
  const { exitCode } = process;
  process.exitCode = undefined;
  try {
    await run(["node", "email-api-contract", ...words]);
    const [out, err] = [stripVTControlCharacters(text.out), stripVTControlCharacters(text.err)];
    return { status: Number(process.exitCode ?? 0), out, err };
  } finally {
    process.exitCode = exitCode;
    for (const spy of spies) spy.mockRestore();
  }
}
