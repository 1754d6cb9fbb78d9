import { type Sandbox, type SandboxOptions, startSandbox } from "../../sandbox/index.ts";
import { intercepted } from "../mutants/intercept.ts";
import type { Interceptor, MutantRequest, MutantResponse, Next, SandboxContext } from "../mutants/mutant.ts";
import { demoSandbox, demoSettings } from "../mutants/rig/demo.ts";
import { openVariants } from "../mutants/variants/open.ts";
import { shapeVariants } from "../mutants/variants/shape.ts";
import { changeEveryResponse, isObject, isSend, pathOf, type Variant } from "../mutants/variants/variant.ts";

/** A variant that there is already, by its title. Throws an Error where there is none. */
function known(title: string): Variant {
  const found = [...shapeVariants, ...openVariants].find((one) => one.title === title);
  if (found === undefined) throw new Error(`no variant ${title}`);
  return found;
}

/** The address that this server has and the contract does not. */
export const newAddress = "/api/v1/suppressions";

/** Who is sent a message through this domain is refused with an error type that is new. */
export const pausedDomain = "paused.example";

const withNewAddress: Variant = {
  title: "has one address more",
  intercept: () => async (request, next) => {
    if (pathOf(request) !== newAddress) return next(request);
    const me = await next({ ...request, method: "GET", path: "/api/v1/me", body: undefined });
    return me.status === 200 ? { ...me, body: { suppressions: [{ address: "a@b.example" }] } } : me;
  },
};

const isPaused = ({ body }: MutantRequest): boolean =>
  isObject(body) && [body.to].flat().some((address) => String(address).endsWith(`@${pausedDomain}`));

const withNewErrorType: Variant = {
  title: "refuses something new with an error type that is new",
  intercept: () => async (request, next) => {
    if (!isSend(request) || !isPaused(request)) return next(request);
    const unknown = { ...request, method: "GET", path: "/api/v1/emails/no-such-id", body: undefined };
    const { status: _, ...answer } = await next(unknown);
    const request_id = answer.headers["x-service-request-id"];
    return {
      ...answer,
      status: 403,
      body: { error: { type: "account_paused", message: "No.", request_id } },
    };
  },
};

/** Objects named `fields` hold names that people chose; this list by the same name holds the service's own objects. */
const withLongerFields = changeEveryResponse("has more fields in custom fields too", (answer, request) => {
  const { body } = answer;
  if (!/\/newsletter\/fields$/.test(pathOf(request)) || !isObject(body) || !Array.isArray(body.fields))
    return answer;
  const fields = body.fields.map((field) => ({
    ...field,
    object_version: 3,
    links: { self: null },
    notes: [],
  }));
  return { ...answer, body: { ...body, fields } };
});

/** One thing after another between client and server: the first is the nearest to the client. */
const chained =
  (parts: Interceptor[]): Interceptor =>
  (request, next) =>
    parts.reduceRight<Next>((inner, part) => async (asked) => part(asked, inner), next)(request);

/** All that this version may add, at once (VER-2): a server of its future. */
export const additions: Variant = {
  title: "has a field more everywhere, a header, error types, event types and an address",
  intercept: (surroundings) =>
    chained(
      [
        known("has more fields in every object, and more headers"),
        withLongerFields,
        known("has events of types that are new"),
        known("has error types that are new, for failures whose type is open"),
        withNewErrorType,
        withNewAddress,
      ].flatMap((variant) => variant.intercept?.(surroundings) ?? []),
    ),
};

/** The same server, one of whose answers is changed on its way. */
export const additionsBut = (
  change: (answer: MutantResponse) => MutantResponse,
): ((surroundings: SandboxContext) => Interceptor) => {
  const last: Interceptor = async (request, next) => change(await next(request));
  return (surroundings) =>
    chained([last, ...(additions.intercept ? [additions.intercept(surroundings)] : [])]);
};

/** A sandbox behind all additions, for clients: what they call, and the sandbox itself. */
export async function startAdditions(
  options: SandboxOptions = {},
): Promise<{ sandbox: Sandbox; key: string; fetch: (url: string, init: RequestInit) => Promise<Response> }> {
  const sandbox = await startSandbox({ ...demoSandbox(), ...options });
  const { keys } = demoSettings();
  const surroundings: SandboxContext = {
    bearer: (role) => `Bearer ${keys[role]}`,
    now: () => sandbox.clock.now(),
    control: () => Promise.reject(new Error("no control calls here")),
  };
  const between = additions.intercept?.(surroundings);
  if (between === undefined) throw new Error("there is nothing between");
  const fetch = intercepted((path, init) => sandbox.fetch(path, init), between);
  return { sandbox, key: sandbox.keys["all abilities"] ?? "", fetch };
}
