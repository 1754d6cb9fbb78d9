import { UserError } from "../../lib/user-error.ts";

/** A response of the control API with an error. */
class ControlApiError extends UserError {
  readonly status: number;

  constructor(status: number, message: string, hint: string | undefined) {
    super(message, { ...(hint !== undefined && { hint }), exitCode: 2 });
    this.status = status;
  }
}

export const isNotFound = (error: unknown): boolean =>
  error instanceof ControlApiError && error.status === 404;

/** In milliseconds; longer than an SMTP delivery, which an advance of the clock waits for. */
const responseTimeout = 150_000;

/** Requests to the control API of a running sandbox, or of a workspace. @throws UserError unless they succeed */
export class ControlApi {
  readonly #url: string;

  /** @param url without a slash at its end */
  constructor(url: string) {
    this.#url = url;
  }

  get = (path: string): Promise<unknown> => this.#json("GET", path);
  post = (path: string, body?: object): Promise<unknown> => this.#json("POST", path, body);
  delete = (path: string): Promise<unknown> => this.#json("DELETE", path);

  async bytes(path: string): Promise<Uint8Array> {
    return (await this.#send("GET", path)).bytes();
  }

  async #json(method: string, path: string, body?: object): Promise<unknown> {
    return (await this.#send(method, path, body)).json();
  }

  async #send(method: string, path: string, body?: object): Promise<Response> {
    const url = this.#url + path;
    const signal = AbortSignal.timeout(responseTimeout);
    const init = { method, signal, ...(body !== undefined && { body: JSON.stringify(body) }) };
    const response = await fetch(url, init).catch((cause: Error) => {
      const hint = "Start a sandbox with `email-api-contract sandbox`, or correct the URL.";
      const reason = cause.cause instanceof Error ? cause.cause.message : cause.message;
      throw new UserError(`no sandbox responds at ${url} (${reason})`, { hint, exitCode: 2, cause });
    });
    if (response.ok) return response;
    const { message, hint } = readError(await response.text());
    const result = `${method} ${url} was rejected with ${response.status}`;
    throw new ControlApiError(response.status, message === "" ? result : `${result}: ${message}`, hint);
  }
}

/** The error of the control API, or the start of the text of another server. */
function readError(text: string): { message: string; hint?: string } {
  try {
    const { message, hint } = JSON.parse(text).error;
    return { message: String(message).replace(/\.$/, ""), ...(typeof hint === "string" && { hint }) };
  } catch {
    return { message: text.trim().split("\n", 1).join().slice(0, 200) };
  }
}
