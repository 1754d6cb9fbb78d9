import type { ApiRequest } from "../api/context.ts";
import { controlOperations } from "../control/control.ts";
import { validateInput } from "../control/input.ts";
import type { GatewayServices, Input, Operation } from "../control/operation.ts";
import { withoutOthers } from "../control/operations/failure-input.ts";
import { ControlError, type SiteResponse } from "../control/response.ts";
import type { Section } from "./layout.ts";

interface Form {
  /** The path of the operation of the control API that it runs. */
  operation: string;
  /** Default: POST. */
  method?: Operation["method"];
  /** The page to show then. */
  page: Section;
  /** What of its fields the operation gets; default: all of them. */
  select?: typeof withoutOthers;
}

const failures = "/failures";

/** The forms by path. */
const forms = new Map<string, Form>([
  ["/clock", { operation: "/sandbox/clock", page: "/clock" }],
  ["/contacts/confirm", { operation: "/sandbox/confirm", page: "/contacts" }],
  ["/suppressions", { operation: "/sandbox/suppress", page: "/suppressions" }],
  ["/suppressions/remove", { operation: "/sandbox/unsuppress", page: "/suppressions" }],
  ["/failures", { operation: "/sandbox/failures", page: failures, select: withoutOthers }],
  ["/failures/end", { operation: "/sandbox/failures/{id}", method: "DELETE", page: failures }],
  ["/failures/end-all", { operation: "/sandbox/failures", method: "DELETE", page: failures }],
  ["/reset", { operation: "/sandbox/reset", page: "/" }],
]);

export const isForm = (path: string): boolean => forms.has(path);

/** The page that a form is on. */
export const pageOfForm = (path: string): Section | undefined => forms.get(path)?.page;

/**
 * Runs the operation of a form, and redirects to its page.
 *
 * @throws ControlError
 */
export async function submitForm(
  services: GatewayServices,
  path: string,
  request: ApiRequest,
): Promise<SiteResponse> {
  const form = forms.get(path);
  const { method = "POST" } = form ?? {};
  const operation = controlOperations.find((one) => one.method === method && one.path === form?.operation);
  if (form === undefined || operation === undefined) throw new Error(`no form at ${path}`);
  const { local, account, ...given } = parseForm(request.body);
  const fields = form.select?.(given) ?? given;
  const input: Input = {
    ...fields,
    ...(account !== undefined && { account }),
    ...(local !== undefined && { to: `${local}Z` }),
  };
  // The next message may have become due after the page was loaded.
  const isDone =
    form.page === "/clock" && local === undefined && Date.parse(fields.to ?? "") <= services.clock.now();
  if (!isDone) await operation.run(services, await validateInput(operation, input), request);
  const query = account === undefined ? "" : `?account=${encodeURIComponent(account)}`;
  return { status: 303, headers: { location: form.page + query, "cache-control": "no-store" }, body: "" };
}

function parseForm(body: Uint8Array | null): Record<string, string | undefined> {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(body ?? new Uint8Array());
    // A form sends its empty fields too.
    return Object.fromEntries([...new URLSearchParams(text)].filter(([, value]) => value !== ""));
  } catch {
    throw new ControlError(422, "The form is not UTF-8 text.", "Send the form from its page.");
  }
}
