import { finding, type ResponseFinding } from "../../response-checks/finding.ts";

/** Checks the messages of the service: equal texts are equal messages. */
export function checkOutbox(messages: readonly string[]): ResponseFinding {
  const twice = messages.find((message, index) => messages.indexOf(message) !== index);
  return finding(["IDEM-5"], "nothing is sent twice", twice === undefined, {
    expected: "each message once in the outbox",
    found: `${messages.filter((message) => message === twice).length} equal messages: ${twice}`,
  });
}

/** Checks what the driver wrote: replies, errors and logs. */
export const checkOutput = (output: string, key: string): ResponseFinding =>
  finding(["AUTH-6"], "the output of the client does not contain the API key", !output.includes(key), {
    expected: "output without the API key",
    found: "the API key in a line of the driver: in an error, a log or the printed client",
  });
