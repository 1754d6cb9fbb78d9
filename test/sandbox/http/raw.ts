import { connect } from "node:net";
import { checkAnswer } from "../answers.ts";

/** What came back on a connection; null when it ended without an answer. */
export interface RawAnswer {
  status: number;
  headers: Record<string, string>;
  text: string;
}

/** Writes bytes on a connection of its own, and reads what comes back until the other side ends. */
export async function exchange(url: string, bytes: string | Uint8Array, more = true): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const read: Buffer[] = [];
  socket.on("data", (chunk) => read.push(chunk));
  // Cut off while writing is one of the ways in which a connection may end.
  socket.on("error", () => {});
  socket.write(bytes);
  if (!more) socket.end();
  // `once` of node:events would take the error of a cut for its own.
  await new Promise((resolve) => socket.on("close", resolve));
  return Buffer.concat(read).toString("latin1");
}

/** Reads the first answer out of what came back. */
export function parse(read: string): RawAnswer | null {
  if (read === "") return null;
  const end = read.indexOf("\r\n\r\n");
  const [first = "", ...lines] = read.slice(0, end).split("\r\n");
  const headers = Object.fromEntries(
    lines.map((line) => [
      line.slice(0, line.indexOf(":")).toLowerCase(),
      line.slice(line.indexOf(":") + 1).trim(),
    ]),
  );
  const length = Number(headers["content-length"] ?? 0);
  const text = Buffer.from(read.slice(end + 4, end + 4 + length), "latin1").toString();
  return { status: Number(first.split(" ")[1]), headers, text };
}

/** Fails the test when what came back is neither an answer that the contract has nor a cut. */
export function checkRaw(method: string, path: string, read: string): RawAnswer | null {
  const answer = parse(read);
  if (answer === null) return null;
  if (method === "HEAD") return answer;
  checkAnswer({ method, path, ...answer });
  return answer;
}
