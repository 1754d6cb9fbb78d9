/** Who a message goes to. */
export interface Recipients {
  to: string[];
  cc: string[];
  bcc: string[];
}

/** Who a message goes to once the addresses that are not written to any more are left out. */
export interface SplitRecipients extends Recipients {
  /** Those left out, in their order, each once. */
  suppressed: string[];
}

/** Leaves out the suppressed recipients. Case does not count: an address is one mailbox however it is written. */
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

/** How many recipients a message has; each counts towards the monthly allowance. */
export function countRecipients(recipients: Recipients): number {
  return recipients.to.length + recipients.cc.length + recipients.bcc.length;
}
