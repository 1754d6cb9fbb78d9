import { foreignHosts } from "../../../scripts/document/hosts.ts";
import { everyText } from "../../../scripts/document/walk.ts";
import { ruleForEach } from "../rule.ts";

export const rule = ruleForEach(everyText, {
  description: "Email addresses, links and IP addresses use names and numbers reserved for documentation.",
  *check({ text }) {
    for (const host of foreignHosts(text))
      yield `Use a reserved name such as example.com, or 192.0.2.1, instead of ${host} (RFC 2606, RFC 5737).`;
  },
});
