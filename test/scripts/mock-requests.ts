import { expect } from "vitest";
import { UserError } from "../../lib/user-error.ts";

/** A message that the mock accepts. */
export const message = {
  from: "shop@mail.example.com",
  to: ["ada@example.com"],
  subject: "Hello",
  text: "Hello, Ada.",
};

/** Sends a message to the mock. */
export const post = (url: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${url}/api/v1/emails`, {
    method: "POST",
    headers: { authorization: "Bearer any-key", "content-type": "application/json", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
    signal: AbortSignal.timeout(10_000),
  });

/** The error of a mock that does not start. */
export const failureOf = (start: Promise<unknown>): Promise<UserError> =>
  start.then(
    () => Promise.reject(new Error("the mock started")),
    (error: unknown) => {
      expect(error).toBeInstanceOf(UserError);
      return error as UserError;
    },
  );
