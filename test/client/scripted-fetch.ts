/** How a server handles one request. */
export type Step =
  | { status: number; body?: string; headers?: Record<string, string> }
  /** The connection is refused or breaks. */
  | { cut: string }
  /** No response. */
  | { hang: true }
  /** A response whose body hangs or breaks off. */
  | { status: number; partly: string; end: "hang" | "cut"; headers?: Record<string, string> };

export interface RecordedRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string | undefined;
  signal: AbortSignal;
}

/** A fetch with one step for each request; the last step is for all further requests. */
export function scriptFetch(...script: Step[]): {
  fetch: (url: string, init: RequestInit) => Promise<Response>;
  requests: RecordedRequest[];
} {
  const requests: RecordedRequest[] = [];
  return {
    requests,
    async fetch(url, { method = "GET", headers, body, signal }) {
      const step = script[Math.min(requests.length, script.length - 1)];
      requests.push({
        method,
        url,
        headers: { ...(headers as Record<string, string>) },
        body: typeof body === "string" ? body : undefined,
        signal: signal as AbortSignal,
      });
      if (step === undefined) throw new Error("the script is empty");
      return play(step, signal as AbortSignal);
    },
  };
}

function play(step: Step, signal: AbortSignal): Promise<Response> | Response {
  if ("cut" in step) throw Object.assign(new TypeError("fetch failed"), { cause: { code: step.cut } });
  if ("hang" in step)
    return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
  if ("partly" in step)
    return new Response(partly(step), { status: step.status, headers: step.headers ?? {} });
  const { status, body = "", headers = {} } = step;
  return new Response(status === 204 ? null : body, { status, headers });
}

function partly({ partly: text, end }: { partly: string; end: "hang" | "cut" }): ReadableStream<Uint8Array> {
  let isStarted = false;
  return new ReadableStream({
    pull(controller) {
      if (!isStarted) {
        isStarted = true;
        controller.enqueue(new TextEncoder().encode(text));
      } else if (end === "cut") controller.error(new TypeError("terminated"));
      else return new Promise(() => {});
    },
  });
}

/** A success with the required headers. */
export const success = (body: unknown, headers: Record<string, string> = {}, status = 200): Step => ({
  status,
  body: JSON.stringify(body),
  headers: {
    "X-Service-Request-Id": "req_1",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    ...headers,
  },
});

/** An error response. */
export const failure = (
  status: number,
  type: string,
  headers: Record<string, string> = {},
  more: Record<string, unknown> = {},
): Step => ({
  status,
  body: JSON.stringify({ error: { type, message: "It did not work.", request_id: "req_2", ...more } }),
  headers: { "X-Service-Request-Id": "req_2", ...headers },
});
