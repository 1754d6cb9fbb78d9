import type { ContractConfig } from "../../../contract/config/config.ts";

/** A configuration that says everything there is to say. */
export const whole = {
  $schema: "./contract.schema.json",
  baseUrl: "https://staging.example.com/",
  profile: "full",
  without: ["slow"],
  keys: {
    full: "MY_KEY",
    second: "MY_SECOND",
    sendOnly: "MY_SEND_ONLY",
    readOnly: "MY_READ_ONLY",
    manageOnly: "MY_MANAGE_ONLY",
    restricted: "MY_RESTRICTED",
    revoked: "MY_REVOKED",
    replaced: "MY_REPLACED",
    otherAccount: "MY_OTHER_ACCOUNT",
    noPlan: "MY_NO_PLAN",
    noNewsletter: "MY_NO_NEWSLETTER",
    noDomain: "MY_NO_DOMAIN",
    atCeiling: "MY_AT_CEILING",
    burst: "MY_BURST",
    quota: "MY_QUOTA",
  },
  simulatorDomain: "simulator.example",
  domains: {
    verified: "bakery.example",
    restricted: "shop.bakery.example",
    unfinished: "unfinished.example",
    stopped: "stopped.example",
    ofRole: { quota: "kiosk.example", burst: "courier.example" },
  },
  lists: { plain: 2, second: 3, doubleOptIn: 1, otherAccount: 11 },
  fields: { text: "city", number: "orders", date: "birthday", url: "website" },
  template: { id: "order-ready", variables: { name: "Ada" } },
  unpublishedTemplate: { id: "draft", variables: { name: "Ada" } },
  suppressed: ["gone@readers.example"],
  contacts: {
    cleaned: { email: "cleaned@readers.example", list: 1 },
    complained: { email: "complained@readers.example", list: 1 },
    noNewsletter: { email: "basin@readers.example", list: 41 },
  },
  messages: { noPlan: "sched_1042" },
  recipientDomain: "readers.example",
  contactDomain: "readers.example",
  attachmentLink: "https://files.example.com/terms.pdf",
  attachmentHash: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
  mailbox: { smtp: 2525, host: "0.0.0.0" },
  pages: { path: "/api/v1/domains" },
  deadlines: { response: 5, delivery: 60, dispatch: 30 },
  hooks: {
    advanceClock: { url: "/sandbox/clock", body: { advance: "PT{seconds}S" } },
    confirm: {
      method: "PUT",
      url: "https://hooks.example.com/confirm/{email}",
      headers: { "x-hook": "plain", authorization: { env: "MY_HOOK_TOKEN" } },
      body: { list: "{list}" },
    },
    suppress: { url: "/sandbox/suppress", body: { email: "{email}" } },
    reset: { url: "/sandbox/reset" },
    failNext: { url: "/sandbox/failures", body: { failure: "{failure}", requests: "{requests}" } },
  },
  expectedFailures: "./expected.yaml",
} as const satisfies Omit<ContractConfig, "without" | "suppressed"> & {
  without: readonly unknown[];
  suppressed: readonly unknown[];
};

/** Every variable that it names, each with a value of its own. */
export const environment: Record<string, string> = {
  ...Object.fromEntries(Object.values(whole.keys).map((name) => [name, `key-of-${name.toLowerCase()}`])),
  MY_HOOK_TOKEN: "Bearer hook-token-1234",
};
