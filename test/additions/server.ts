import { type Sandbox, type SandboxOptions, startSandbox } from "../../sandbox/index.ts";
import { demoSandbox, demoSettings } from "../mutants/demo.ts";
import { chained, intercepted, type MutantRequest, type SandboxContext } from "../mutants/mutant.ts";
import { openVariants } from "../mutants/variants/open.ts";
import { shapeVariants } from "../mutants/variants/shape.ts";
import { changeEveryResponse, isObject, isSend, pathOf, type Variant } from "../mutants/variants/variant.ts";

/** An existing variant by title. @throws Error if there is none */
function known(title: string): Variant {
  const found = [...shapeVariants, ...openVariants].find((one) => one.title === title);
  if (found === undefined) throw new Error(`no variant ${title}`);
  return found;
}

/** A path that this server has and the contract does not. */
export const newPath = "/api/v1/suppressions";

/** Sends to this domain are rejected with a new error type. */
export const pausedDomain = "paused.example";

const withNewPath: Variant = {
  title: "has an additional path",
  intercept: () => async (request, next) => {
    if (pathOf(request) !== newPath) return next(request);
    const me = await next({ ...request, method: "GET", path: "/api/v1/me", body: undefined });
    return me.status === 200 ? { ...me, body: { suppressions: [{ address: "a@b.example" }] } } : me;
  },
};

const isPaused = ({ body }: MutantRequest): boolean =>
  isObject(body) && [body.to].flat().some((address) => String(address).endsWith(`@${pausedDomain}`));

const withNewErrorType: Variant = {
  title: "rejects a send with a new error type",
  intercept: () => async (request, next) => {
    if (!isSend(request) || !isPaused(request)) return next(request);
    const unknown = { ...request, method: "GET", path: "/api/v1/emails/no-such-id", body: undefined };
    const { status: _, ...response } = await next(unknown);
    const request_id = response.headers["x-service-request-id"];
    return {
      ...response,
      status: 403,
      body: { error: { type: "account_paused", message: "No.", request_id } },
    };
  },
};

/** Properties of objects named `fields` are chosen by users; in this list of the same name they are the service's own. */
const withLongerFields = changeEveryResponse(
  "has additional properties in custom fields too",
  (response, request) => {
    const { body } = response;
    if (!/\/newsletter\/fields$/.test(pathOf(request)) || !isObject(body) || !Array.isArray(body.fields))
      return response;
    const fields = body.fields.map((field) => ({
      ...field,
      object_version: 3,
      links: { self: null },
      notes: [],
    }));
    return { ...response, body: { ...body, fields } };
  },
);

/** A future server with everything that this version can add (VER-2). */
export const additions: Variant = {
  title: "has additional properties, headers, error types, event types and paths",
  isWhole: true,
  intercept: (context) =>
    chained(
      [
        known("has additional properties in every object, and additional headers"),
        withLongerFields,
        known("has new event types"),
        known("has new error types if the type is unspecified"),
        withNewErrorType,
        withNewPath,
      ].flatMap((variant) => variant.intercept?.(context) ?? []),
    ),
};

/** A sandbox with all additions for clients. */
export async function startAdditions(
  options: SandboxOptions = {},
): Promise<{ sandbox: Sandbox; key: string; fetch: (url: string, init: RequestInit) => Promise<Response> }> {
  const sandbox = await startSandbox({ ...demoSandbox(), ...options });
  const { keys } = demoSettings();
  const context: SandboxContext = {
    bearer: (role) => `Bearer ${keys[role]}`,
    now: () => sandbox.clock.now(),
    control: () => Promise.reject(new Error("no control requests here")),
  };
  const intercept = additions.intercept?.(context);
  if (intercept === undefined) throw new Error("there is no interceptor");
  const fetch = intercepted((path, init) => sandbox.fetch(path, init), intercept);
  return { sandbox, key: sandbox.keys["all abilities"] ?? "", fetch };
}
