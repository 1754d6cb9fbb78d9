import { rolesOfMainAccount } from "../../../../contract/engine/settings.ts";
import { authorizationOf } from "../../../mutants/history.ts";
import {
  type Mutant,
  type MutantRequest,
  type MutantResponse,
  type RequirementId,
  remembers,
} from "../../../mutants/mutant.ts";
import { withHeaders } from "../../../mutants/requests.ts";
import { isReplay } from "../../../mutants/same-key.ts";

export const unseen = "written without sight of the checks";

/** A mutant by an author who had not seen the checks of the suite. */
export interface IndependentFault extends Mutant {
  /** Where it comes from: its author, or a public report of such a fault, as `owner/repository#number` on GitHub. */
  source: typeof unseen | `${string}/${string}#${number}`;
}

/** Faults that their authors made up. */
export const madeUp = (...faults: Mutant[]): IndependentFault[] =>
  faults.map((fault) => ({ ...fault, source: unseen }));

/** A fault like one that was reported of other software. */
export const reported = (
  report: Exclude<IndependentFault["source"], typeof unseen>,
  fault: Mutant,
): IndependentFault => ({ ...fault, source: report });

const allowance = "x-service-monthly-remaining";

/** The response with another remaining allowance, if it shows one. A replay shows what the original response did. */
export function withAllowance(response: MutantResponse, change: number): MutantResponse {
  const { [allowance]: remaining } = response.headers;
  if (remaining === undefined || isReplay(response)) return response;
  return withHeaders(response, { [allowance]: String(Math.max(0, Number(remaining) + change)) });
}

/** Counts other recipients of an account. @param missed what a request leaves in the allowance, negative for what it takes too much */
export const miscounts = (
  requirement: RequirementId,
  title: string,
  missed: (request: MutantRequest, response: MutantResponse) => number,
): Mutant =>
  remembers(requirement, title, ({ bearer }) => {
    const ofMainAccount = new Set(rolesOfMainAccount.map(bearer));
    const totals = new Map<string, number>();
    return (response, request) => {
      const authorization = authorizationOf(request);
      const account = ofMainAccount.has(authorization) ? "main" : authorization;
      const total = (totals.get(account) ?? 0) + (isReplay(response) ? 0 : missed(request, response));
      totals.set(account, total);
      return withAllowance(response, total);
    };
  });
