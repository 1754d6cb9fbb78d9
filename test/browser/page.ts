import type { BrowserOptions } from "../../sandbox/browser/open.ts";

/** The start of the paths that the bridge keeps for itself. */
export const own = "/-bridge/";

/** The script of the page: starts the worker, and passes requests to it. Text, because code in a browser has other types. */
export const pageScript = (options: BrowserOptions): string => `new Promise((resolve, reject) => {
  const post = (name, body, headers = {}) => fetch("${own}" + name, { method: "POST", body, headers });
  const respond = (id, { body = "", ...head }) =>
    post(id, body, { "x-response": encodeURIComponent(JSON.stringify(head)) });
  const worker = new Worker("${own}worker.js");
  worker.onerror = ({ message }) => reject(new Error(message));
  worker.onmessage = ({ data }) => {
    if ("opened" in data) resolve();
    else if ("error" in data) post("error", data.error);
    else respond(data.id, data.closed ? { cut: true } : data.response);
  };
  new EventSource("${own}events").onmessage = async ({ data }) => {
    const { id, request, hasBody } = JSON.parse(data);
    if (hasBody) request.body = new Uint8Array(await (await fetch("${own}" + id)).arrayBuffer());
    worker.postMessage({ id, request });
  };
  worker.postMessage({ open: ${JSON.stringify(options)} });
})`;
