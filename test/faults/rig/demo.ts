import type { Fixtures, Role, Settings } from "../../contract/engine/settings.ts";
import { usualDeadlines } from "../../contract/engine/settings.ts";

/** The keys of the sandbox's demo accounts, by what they are for in the suite. */
export const keys: Record<Role, string> = {
  full: "sandbox_all_2f7c",
  second: "sandbox_second_8d1e",
  sendOnly: "sandbox_send_b04a",
  readOnly: "sandbox_read_6c3d",
  manageOnly: "sandbox_manage_91ef",
  restricted: "sandbox_restricted_a57b",
  revoked: "sandbox_revoked_40c8",
  replaced: "sandbox_replaced_d26f",
  otherAccount: "sandbox_other_77a2",
  noPlan: "sandbox_no_email_5b90",
  noNewsletter: "sandbox_no_newsletter_c3e4",
  noDomain: "sandbox_no_domain_18bd",
  atCeiling: "sandbox_ceiling_e9f1",
  burst: "sandbox_burst_3a6c",
  quota: "sandbox_small_quota_84b7",
};

const fixtures: Fixtures = {
  simulatorDomain: "simulator.example",
  domains: {
    verified: "bakery.example",
    restricted: "shop.bakery.example",
    unfinished: "unverified.bakery.example",
    stopped: "stopped.bakery.example",
    ofRole: {
      otherAccount: "florist.example",
      noNewsletter: "plumber.example",
      atCeiling: "cinema.example",
      burst: "courier.example",
      quota: "kiosk.example",
    },
  },
  lists: { plain: 2, second: 3, doubleOptIn: 1, otherAccount: 11 },
  fields: { text: "city", number: "orders", date: "birthday", url: "website" },
  template: { id: "order-ready", variables: { order: "17", name: "Ada" } },
  suppressed: ["gone@readers.example"],
  contacts: {
    cleaned: { email: "cleaned@readers.example", list: 1 },
    complained: { email: "complained@readers.example", list: 1 },
  },
  recipientDomain: "readers.example",
  contactDomain: "readers.example",
  attachmentLink: "https://files.example.com/terms.pdf",
};

/** What a run on the sandbox with its demo accounts is told. */
export const demoSettings = (profile: Settings["profile"] = "full"): Settings => ({
  baseUrl: "http://sandbox",
  profile,
  runId: "proof",
  keys,
  fixtures,
  deadlines: usualDeadlines,
  hooks: {},
  without: [],
});

/** The demo accounts as the suite uses them up: the main one may call as often as it likes. */
export const requestsPerMinute = { bakery: 100_000 };
