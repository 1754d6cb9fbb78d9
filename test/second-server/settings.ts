import { defaultDeadlines, type Settings } from "../../contract/engine/settings.ts";
import { simulatorDomain } from "./course.ts";

/** The settings of a suite run on the second server. */
export const secondServerSettings = (url: string): Settings => ({
  baseUrl: url,
  profile: "full",
  runId: Math.random().toString(36).slice(2, 8),
  keys: {
    full: "k-harbour-0001-everything",
    second: "k-harbour-0002-everything",
    sendOnly: "k-harbour-0003-mail",
    readOnly: "k-harbour-0004-reading",
    manageOnly: "k-harbour-0005-writing",
    restricted: "k-harbour-0006-one-domain",
    revoked: "k-harbour-0007-taken-back",
    replaced: "k-harbour-0008-old",
    otherAccount: "k-lighthouse-0001",
    noPlan: "k-reader-0001",
    noNewsletter: "k-mailer-0001",
    noDomain: "k-beginner-0001",
    atCeiling: "k-ferry-0001",
    burst: "k-racer-0001",
    quota: "k-dinghy-0001",
  },
  fixtures: {
    simulatorDomain,
    domains: {
      verified: "harbour.test",
      restricted: "pier.harbour.test",
      unfinished: "new.harbour.test",
      stopped: "old.harbour.test",
      ofRole: {
        otherAccount: "lighthouse.test",
        noPlan: "reader.test",
        noNewsletter: "mailer.test",
        atCeiling: "ferry.test",
        burst: "racer.test",
        quota: "dinghy.test",
      },
    },
    lists: { plain: 7001, second: 7002, doubleOptIn: 7003, otherAccount: 7101 },
    fields: { text: "berth", number: "length_m", date: "since", url: "homepage" },
    template: { id: "tide-table", variables: { port: "Grimsby" } },
    unpublishedTemplate: { id: "winter-timetable", variables: { port: "Grimsby" } },
    suppressed: ["sunk@crew.test", "stranded@crew.test", "ashore@crew.test"],
    contacts: {
      cleaned: { email: "silent@crew.test", list: 7003 },
      complained: { email: "cross@crew.test", list: 7003 },
      noNewsletter: { email: "penny@crew.test", list: 7401 },
    },
    recipientDomain: "crew.test",
    contactDomain: "crew.test",
    attachmentLink: "https://charts.test/north.pdf",
  },
  deadlines: defaultDeadlines,
  hooks: {
    advanceClock: { url: `${url}/admin/time`, body: { seconds: "{seconds}" } },
    confirm: { url: `${url}/admin/follow-confirmation`, body: { address: "{email}", list: "{list}" } },
    suppress: { url: `${url}/admin/stop-sending`, body: { address: "{email}" } },
    reset: { url: `${url}/admin/start-over` },
    failNext: { url: `${url}/admin/break`, body: { failure: "{failure}", requests: "{requests}" } },
  },
  // It sends no mail, and has no account API.
  without: ["mailbox", "pages", "attachmentHash"],
});
