import type { Account, ApiKey, SendingDomain } from "./records.ts";

/** Why a message must not be sent from an email address: a row of the error table, and a sentence. */
export interface SenderFault {
  id: "403.send_rejected" | "409.send_rejected" | "422.send_rejected" | "429.send_rejected";
  message: string;
}

const noDomain: SenderFault = {
  id: "422.send_rejected",
  message: "No sending domain is set up on this account.",
};
const ceiling: SenderFault = {
  id: "429.send_rejected",
  message: "This account has reached its sending ceiling.",
};

/** Why this key and account must not send from an email address; undefined if they may. */
export function senderFault(
  from: string,
  key: ApiKey,
  account: Account,
  domains: readonly SendingDomain[],
): SenderFault | undefined {
  const name = from.slice(from.lastIndexOf("@") + 1).toLowerCase();
  if (key.domain !== null && key.domain !== name) {
    return { id: "403.send_rejected", message: `This API key sends from ${key.domain} only.` };
  }
  if (domains.length === 0) return noDomain;
  const domain = domains.find((candidate) => candidate.name === name);
  if (domain === undefined) {
    return { id: "403.send_rejected", message: `${name} is not a sending domain of this account.` };
  }
  if (domain.state === "unverified") {
    return { id: "409.send_rejected", message: `${name} has not finished verifying.` };
  }
  if (domain.state === "stopped") {
    return { id: "409.send_rejected", message: `Sending from ${name} is stopped.` };
  }
  return account.atSendingCeiling ? ceiling : undefined;
}
