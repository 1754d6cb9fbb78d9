import { finding, type ResponseFinding } from "../../response-checks/finding.ts";
import { jsonOf } from "./to-exchange.ts";

/** Checks the messages of the service: equal texts are equal messages. */
export function checkOutbox(messages: readonly string[]): ResponseFinding {
  const twice = messages.find((message, index) => messages.indexOf(message) !== index);
  return finding(["IDEM-5"], "nothing is sent twice", twice === undefined, {
    expected: "each message once in the outbox",
    found: `${messages.filter((message) => message === twice).length} equal messages: ${twice}`,
  });
}

/** The requirement names only one place where the key must not be. */
export const whySecret = "a secret: AUTH-6 forbids it where others can read it, such as in browser code";

/** Checks what the driver wrote: its first line, replies, and logs. */
export function checkOutput(output: string, key: string): ResponseFinding {
  const line = output.split("\n").find((one) => one.includes(key));
  return finding(["AUTH-6"], "the output of the client does not contain the API key", line === undefined, {
    expected: `output without the API key, ${whySecret}`,
    found: line === undefined ? "" : `the API key in ${placeOf(line, key)}: ${around(line, key)}`,
  });
}

/** Whether the driver wrote the key before any call: no call shows it. */
export const isInFirstLine = (output: string, key: string): boolean =>
  output.split("\n").some((line) => line.includes(key) && Object.hasOwn(Object(jsonOf(line)), "protocol"));

/** Where in the output a line with the key is. */
function placeOf(line: string, key: string): string {
  const { protocol, error, result } = Object(jsonOf(line)) as Record<string, unknown>;
  if (protocol !== undefined) return "printed: what printing the client shows";
  const name = Object.keys(Object(error)).find((one) => JSON.stringify(Object(error)[one]).includes(key));
  if (name !== undefined) return `error.${name} of a reply`;
  return result === undefined ? "a line of a log, such as on standard error" : "the result of a reply";
}

/** The part of a line that has the key. */
function around(line: string, key: string): string {
  const at = line.indexOf(key);
  return line.slice(Math.max(0, at - 80), at + key.length + 40).trim();
}
