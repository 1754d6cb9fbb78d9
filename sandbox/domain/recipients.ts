export interface Recipients {
  to: string[];
  cc: string[];
  bcc: string[];
}

/** The recipients without the suppressed ones. */
export interface SplitRecipients extends Recipients {
  /** In order, each once. */
  suppressed: string[];
}

/** Removes the suppressed recipients. Email addresses are compared without case. */
export function splitRecipients(recipients: Recipients, suppressed: ReadonlySet<string>): SplitRecipients {
  if (suppressed.size === 0) {
    return { to: recipients.to, cc: recipients.cc, bcc: recipients.bcc, suppressed: [] };
  }
  const out = new Set<string>();
  const kept = (addresses: string[]): string[] =>
    addresses.filter((address) => {
      if (!suppressed.has(address.toLowerCase())) return true;
      out.add(address);
      return false;
    });
  const split = { to: kept(recipients.to), cc: kept(recipients.cc), bcc: kept(recipients.bcc) };
  return { ...split, suppressed: [...out] };
}

/** Each recipient counts towards the monthly allowance. */
export function countRecipients(recipients: Recipients): number {
  return recipients.to.length + recipients.cc.length + recipients.bcc.length;
}
