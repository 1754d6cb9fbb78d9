import { describe, expect, it } from "vitest";
import { checkOutput, isInFirstLine } from "../../../contract/client-suite/engine/reply-checks.ts";
import { key } from "./wire.ts";

const found = (output: string): string | undefined => checkOutput(output, key).failure?.found;
const first = JSON.stringify({ protocol: 1, printed: `Client(key=${key})` });

describe("the output of a client", () => {
  it("passes without the API key", () => {
    expect(found('{"call":1,"result":{}}\nGET /api/v1/me')).toBeUndefined();
  });

  it.each([
    { title: "the printed client", output: first, want: /^the API key in printed: .*Client\(key=key_/ },
    {
      title: "the message of an error",
      output: `{"call":1}\n${JSON.stringify({ call: 2, error: { kind: "timeout", message: `Bearer ${key}` } })}`,
      want: /^the API key in error\.message of a reply: .*Bearer key_/,
    },
    {
      title: "a result",
      output: JSON.stringify({ call: 2, result: { key } }),
      want: /^the API key in the result of a reply: /,
    },
    {
      title: "a log",
      output: `starting\n${"x".repeat(500)}authorization: Bearer ${key}\n`,
      want: /^the API key in a line of a log, such as on standard error: x{1,80}authorization: Bearer key_\w+$/,
    },
  ])("says where the API key is in $title, and shows the line", ({ output, want }) => {
    expect(found(output)).toMatch(want);
  });

  it("belongs to no call if it is the first line", () => {
    expect(isInFirstLine(first, key)).toBe(true);
    expect(isInFirstLine(`${first.replace(key, "***")}\nlog ${key}`, key)).toBe(false);
  });
});
