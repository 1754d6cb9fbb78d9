import { stripVTControlCharacters } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newRunId, variableOf } from "../../../contract/config/load.ts";
import type { Fetch } from "../../../contract/engine/http.ts";
import { type Role, roles, type Settings } from "../../../contract/engine/settings.ts";
import type { OperationId } from "../../../generated/operations.ts";
import { checkSettings, runDoctor } from "../../../scripts/contract/doctor.ts";
import { startTarget, type Target } from "../../../scripts/contract/targets.ts";
import { complaint, folderWith } from "../config/folder.ts";

let target: Target;
beforeAll(async () => {
  target = await startTarget("sandbox");
});
afterAll(() => target.close());

interface Diagnosis {
  status: number;
  text: string;
  /** The row of a setting in one line: the state, then the details. */
  of(setting: string): string;
  requests: { method: string; path: string; status: number }[];
}

/** @param server the sandbox, or something in front of it */
async function look(changes: Partial<Settings> = {}, server: Fetch = fetch): Promise<Diagnosis> {
  let text = "";
  const requests: Diagnosis["requests"] = [];
  const status = await checkSettings(
    { ...target.settings, ...changes },
    {
      print: (said) => {
        text += `${stripVTControlCharacters(said)}\n`;
      },
      fetch: async (url, init) => {
        const response = await server(url, init);
        requests.push({ method: init.method ?? "", path: new URL(url).pathname, status: response.status });
        return response;
      },
    },
  );
  expect(text.split("\n").filter((line) => line.length > 80)).toEqual([]);
  const lines = text.split("\n");
  const of = (setting: string): string => {
    const first = lines.findIndex((line) => line.startsWith(`${setting} `));
    const rest = lines.slice(first + 1);
    const more = rest.slice(
      0,
      rest.findIndex((line) => !line.startsWith("   ")),
    );
    return [lines[first]?.slice(setting.length), ...more]
      .map((line) => line?.trim())
      .join(" ")
      .replace(/ {2,}/, " ");
  };
  return { status, text, of, requests };
}

const keysWith = (changes: Partial<Record<Role, Role>>): Settings["keys"] => {
  const { keys } = target.settings;
  const pairs = Object.entries(changes).map(([role, other]) => [role, keys[other]]);
  return { ...keys, ...(Object.fromEntries(pairs) as Settings["keys"]) };
};

describe("contract doctor", () => {
  test("finds nothing wrong with a server that has everything, and sends no email", async () => {
    const before = await outbox();
    const { status, text, of, requests } = await look();
    expect(text).not.toMatch(/WRONG|missing/);
    expect(status).toBe(0);
    for (const role of roles) expect(text).toContain(`keys.${role} `);
    expect(of("keys.sendOnly")).toBe("ok getEmail: 404 not_found, listNewsletterLists: 403 forbidden");
    expect(of("lists.doubleOptIn")).toBe('ok "Weekly letter", with double opt-in');
    expect(of("domains.ofRole.atCeiling")).toBe("ok sendEmail: 429 send_rejected");
    expect(of("domains.ofRole.noPlan")).toBe("ok sendEmail: 402 no_plan");
    expect(of("manyFields")).toMatch(/^ok \d+ custom fields/);
    expect(text).toContain("No setting is wrong.");
    const accepted = requests.filter(({ method, status }) => method === "POST" && status < 300);
    const canceled = requests.filter(({ method, status }) => method === "DELETE" && status < 300);
    expect(accepted).not.toHaveLength(0);
    expect(canceled).toHaveLength(accepted.length);
    expect(text.replaceAll("\n", " ")).toContain(
      `${accepted.length} messages were scheduled for later and canceled at once`,
    );
    const after = await outbox();
    const added = after.filter(({ id }) => !before.some((one) => one.id === id));
    expect(added.map(({ status: state }) => state)).toEqual(accepted.map(() => "canceled"));
  });

  const outbox = async (): Promise<{ id: string; status: string }[]> => {
    const response = await fetch(`${target.settings.baseUrl}/sandbox/outbox`);
    return ((await response.json()) as { messages: { id: string; status: string }[] }).messages;
  };

  test("shows the start of a long text of the server", async () => {
    const long = "so many words ".repeat(2_000);
    const error = { type: long, message: long, request_id: "req_1" };
    const { text, of } = await look({}, async (url, init) =>
      init.method === "POST" ? Response.json({ error }, { status: 422 }) : fetch(url, init),
    );
    expect(of("domains.verified")).toMatch(/^WRONG sendEmail responds with 422 [\w ]+[.]{3} \([\w ]+[.]{3}$/);
    expect(text.length).toBeLessThan(30_000);
  });

  test("reports a key as unproven if the response is ambiguous", async () => {
    const { of } = await look({ keys: keysWith({ readOnly: "second" }) });
    expect(of("keys.readOnly")).toMatch(/^ok\? .* only a run shows that it may not send$/);
  });

  test.each<[Role, Role, string]>([
    ["second", "sendOnly", "listNewsletterLists responds with 403 forbidden, not success"],
    [
      "sendOnly",
      "second",
      "listNewsletterLists responds with 200, not 403 forbidden. Use: a key of the same account with",
    ],
    ["readOnly", "manageOnly", "listNewsletterLists responds with 403 forbidden, not success"],
    ["manageOnly", "second", "listNewsletterLists responds with 200, not 403 forbidden"],
    ["restricted", "readOnly", "getEmail responds with 403 forbidden, not 404 not_found"],
    ["revoked", "second", "listNewsletterLists responds with 200, not 401 unauthorized"],
    ["replaced", "revoked", "getMe responds with 401 unauthorized, not success"],
    ["otherAccount", "second", "It sees the lists of keys.full: both are of one account."],
    ["noNewsletter", "second", "listNewsletterLists responds with 200, not 402 no_plan"],
    ["burst", "second", "It sees the lists of keys.full: both are of one account."],
    ["quota", "second", "It sees the lists of keys.full: both are of one account."],
  ])("finds %s wrong if it is the key %s", async (role, other, said) => {
    const keys = keysWith({ [role]: other });
    const { status, text, of } = await look({ keys });
    expect(of(`keys.${role}`)).toContain(`WRONG ${said}`);
    expect(status).toBe(2);
    expect(text).toMatch(/[1-9] of \d+ settings (is|are) wrong/);
    for (const key of Object.values(keys)) expect(text).not.toContain(key);
  });

  test("finds what is wrong with everything else", async () => {
    const { settings } = target;
    const { status, of } = await look({
      fixtures: {
        ...settings.fixtures,
        domains: {
          verified: "bakery.example",
          unfinished: "shop.bakery.example",
          stopped: "nowhere.example",
        },
        lists: { plain: 1, second: 99, otherAccount: 2 },
        fields: { text: "orders", number: "none" },
        template: { id: "draft" },
        unpublishedTemplate: { id: "order-ready" },
        messages: { noPlan: "sched_1042" },
        suppressed: ["gone@readers.example", "fine@readers.example"],
        contacts: {
          cleaned: { email: "complained@readers.example", list: 1 },
          complained: { email: "nobody@readers.example", list: 1 },
        },
        attachmentLink: "https://127.0.0.1/terms.pdf",
      },
      hooks: { reset: { url: "http://127.0.0.1:1/reset" } },
    });
    expect(status).toBe(2);
    const rows: Record<string, string> = {
      "domains.unfinished": "WRONG sendEmail responds with 202, not 409 send_rejected.",
      "domains.stopped":
        "WRONG sendEmail responds with 403 send_rejected (nowhere.example is not a sending domain of this account), not 409",
      "lists.plain": 'WRONG "Weekly letter" is with double opt-in. It has 1 (with',
      "lists.second": "WRONG The account has no such list.",
      "lists.otherAccount": "WRONG It is a list of the account itself.",
      "fields.text": "WRONG It is of type number. Fields of this type: city",
      "fields.number": "WRONG There is no such field. Fields of this type: orders.",
      template: "WRONG sendEmail responds with 4",
      unpublishedTemplate:
        "WRONG sendEmail responds with 202, not 4xx. Use: a template that is not published.",
      suppressed: "WRONG sendEmail responds with 202, not 422 send_rejected. Use: email addresses that",
      "contacts.cleaned": "WRONG It is complained on the list.",
      "contacts.complained": "WRONG getContact responds with 404 not_found, not success.",
      attachmentLink: "WRONG sendEmail responds with 4",
      "hooks.reset": "WRONG Nothing responds at http://127.0.0.1:1.",
      "messages.noPlan": "ok getEmail: 402 no_plan",
    };
    for (const [setting, said] of Object.entries(rows)) expect(of(setting)).toContain(said);
    expect(of("hooks.advanceClock")).toMatch(
      /^missing \d+ requirements are not verified without it: (\S+, ){4}\S+ and \d\d more$/,
    );
  });

  test("calls the hooks with the least effect, and reset only if it is allowed", async () => {
    const { of } = await look({ runId: newRunId() });
    expect(of("hooks.advanceClock")).toContain("ok It succeeds with one second");
    expect(of("hooks.suppress")).toContain("ok A send to a suppressed recipient alone is rejected with 422.");
    expect(of("hooks.failNext")).toBe("ok It makes one request fail with 500.");
    expect(of("hooks.confirm")).toContain("ok? Its host responds. Not called: it needs a pending contact.");
    expect(of("hooks.reset")).toContain("ok? Its host responds. Not called: --reset allows it.");
  });

  test("finds hooks that fail, or do nothing", async () => {
    const nothing = () => {};
    const advanceClock = { url: `${target.settings.baseUrl}/nowhere` };
    const hooks = { failNext: nothing, suppress: nothing, advanceClock };
    const { status, of } = await look({ hooks, runId: newRunId() });
    expect(of("hooks.failNext")).toContain(
      "WRONG After a call with failure 500 and requests 1, getMe responds with 200",
    );
    expect(of("hooks.suppress")).toMatch(/WRONG After the call, a send to \S+ responds with 202, not 422\./);
    expect(of("hooks.advanceClock")).toContain(
      "WRONG hooks.advanceClock failed: advanceClock responded with 404",
    );
    expect(status).toBe(2);
  });

  test("names what a setting makes unverified, also the fields and domains that an account has too few of", async () => {
    const { recipientDomain: _, ...fixtures } = target.settings.fixtures;
    const few = (url: string, init: RequestInit) =>
      url.endsWith("/fields") ? Promise.resolve(Response.json({ fields: [] })) : fetch(url, init);
    const { failNext: __, ...hooks } = target.settings.hooks;
    const { of } = await look({ profile: "core", hooks, fixtures: { ...fixtures, manyFields: [] } }, few);
    expect(of("hooks.failNext")).toBe(
      "missing 3 requirements are not verified without it: ERR-13, ERR-14, IDEM-10",
    );
    expect(of("manyFields")).toBe("missing 1 requirement is not verified without it: CONT-10");
    expect(of("recipientDomain")).toContain("UNSUB-3");
  });

  test("finds what an account without a product has wrong if the account has the product", async () => {
    const { of } = await look({ keys: keysWith({ noPlan: "otherAccount", noNewsletter: "otherAccount" }) });
    expect(of("domains.ofRole.noPlan")).toMatch(/^WRONG sendEmail responds with 403 .*, not 402 no_plan\./);
    expect(of("contacts.noNewsletter")).toMatch(/^WRONG getContact responds with 404 .*, not 402 no_plan\./);
  });

  test("says what it cannot check", async () => {
    const suppressed = ["gone@readers.example", "angry@readers.example"];
    const { status, of } = await look({ fixtures: { ...target.settings.fixtures, suppressed } });
    expect(status).toBe(0);
    const rows: Record<string, string> = {
      unpublishedTemplate:
        "ok? sendEmail: 422 invalid_request; only a run shows whether the account has this template",
      suppressed:
        "ok? sendEmail: 422 send_rejected; only a run shows what is rejected in to, cc and bcc: fewer than three cannot show all of it",
    };
    for (const [setting, said] of Object.entries(rows)) expect(of(setting)).toBe(said);
  });

  test("uses the server's clock, which an earlier run advanced", async () => {
    const control = (path: string, body: object) =>
      fetch(`${target.settings.baseUrl}/sandbox/${path}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      });
    await control("clock", { advance: "P100D" });
    try {
      const { status, text, of } = await look();
      expect(text).not.toContain("WRONG");
      expect(of("domains.verified")).toBe("ok sendEmail: 202");
      expect(of("keys.replaced")).toContain("ok? getMe: 401 unauthorized; its overlap may be over");
      expect(text.replaceAll("\n", " ")).toMatch(
        /The server's clock is about \d+ days ahead: a run uses its time/,
      );
      expect(status).toBe(0);
    } finally {
      await control("reset", {});
    }
  });

  test("reports a wrong domain once", async () => {
    const { fixtures } = target.settings;
    const domains = { ...fixtures.domains, verified: "nowhere.example" };
    const { of, text } = await look({ fixtures: { ...fixtures, domains } });
    expect(of("domains.verified")).toContain("WRONG sendEmail responds with 403 send_rejected");
    expect(of("template")).toContain(
      "ok? Not checked: it needs simulatorDomain and a working domains.verified.",
    );
    expect(text.match(/WRONG/g)).toHaveLength(1);
  });

  test("estimates a run, with the rate limit of the server", async () => {
    const { baseUrl } = target.settings;
    const folder = folderWith({ "contract.config.yaml": `baseUrl: ${baseUrl}\nprofile: newsletter\n` });
    const env = { [variableOf("full")]: target.settings.keys.burst };
    let text = "";
    const print = (said: string) => {
      text += said;
    };
    expect(await runDoctor({ folder, env, print })).toBe(0);
    const shown = stripVTControlCharacters(text).replaceAll("\n", " ");
    expect(shown).toMatch(
      /A complete run of the profile newsletter makes about [\d,]+ requests and sends no messages\./,
    );
    expect(shown).toMatch(
      /With a rate limit of 120 requests per minute, it takes at least \d+ minutes?: hooks.advanceClock is not configured\./,
    );
    expect(shown).toMatch(/domains.verified +missing +\d+ requirements/);
  });

  test("works without a key", async () => {
    const { of, status } = await look({ keys: {} });
    expect(of("keys.full")).toMatch(/^missing \d+ requirements/);
    expect(of("template")).toContain("ok? Not checked: keys.full is not configured.");
    expect(status).toBe(2);
  });

  test("rejects a server that does not respond", async () => {
    const { text, exitCode } = await complaint(look({ baseUrl: "http://127.0.0.1:1" }));
    expect([text, exitCode]).toEqual([expect.stringContaining("No response to GET /api/v1/me"), 2]);
  });
});

/** What the doctor says of a server in front of the sandbox, in one line. */
async function lookAt(server: Fetch): Promise<Pick<Diagnosis, "status" | "text">> {
  const { status, text } = await look({}, server);
  return { status, text: text.replaceAll(/\s+/g, " ") };
}

const rejection = (status: number, type: string): Response =>
  Response.json({ error: { type, message: "No.", request_id: "req_1" } }, { status });

describe("the doctor at a server without some operations", () => {
  test("whose configuration says so, checks nothing that needs them, and leaves no message scheduled", async () => {
    const missing: OperationId[] = ["listNewsletterLists", "listCustomFields", "cancelEmail"];
    const { status, text, of, requests } = await look({ notImplemented: missing });
    expect(text).not.toContain("WRONG");
    expect(status).toBe(0);
    expect(of("lists.plain")).toBe("ok upsertContact: 201");
    for (const setting of ["lists.otherAccount", "fields.text", "manyFields"])
      expect(of(setting)).toMatch(/^ok\? Not checked: .*list\w+ is not implemented\./);
    expect(of("template")).toBe("ok? Not checked: without cancelEmail, its message would stay scheduled.");
    expect(of("keys.full")).toBe("ok getMe: 200, getEmail: 404 not_found");
    const accepted = requests.filter(({ method, status }) => method === "POST" && status < 300);
    expect(accepted.filter(({ path }) => path.includes("/emails"))).toEqual([]);
  });

  test.each<[title: string, missing: OperationId[], said: string]>([
    ["with the next one", ["getMe"], "ok It makes one request fail with 500."],
    [
      "not without one that changes nothing",
      ["getMe", "listNewsletterLists", "listCustomFields"],
      "ok? Its host responds. Not called: it needs an operation that reads and has no id.",
    ],
  ])(
    "tries the hook failNext without getMe %s, and arms it for no other request",
    async (_, missing, said) => {
      const { of } = await look({ notImplemented: missing, runId: newRunId() });
      expect(of("hooks.failNext")).toBe(said);
      const { full } = target.settings.keys;
      const headers = { authorization: `Bearer ${full}` };
      expect((await fetch(`${target.settings.baseUrl}/api/v1/me`, { headers })).status).toBe(200);
    },
  );

  test("finds a wrong list without the operation that lists them", async () => {
    const fixtures = { ...target.settings.fixtures, lists: { plain: 99, second: 1 } };
    const { of, status } = await look({ notImplemented: ["listNewsletterLists"], fixtures });
    expect(of("lists.plain")).toContain("WRONG upsertContact: 404 not_found. The account has no such list.");
    expect(of("lists.second")).toContain("WRONG upsertContact: 201 with the status pending. Use: ");
    expect(status).toBe(2);
  });

  test("copes with a success of another body than the documented one", async () => {
    const { fixtures } = target.settings;
    const changes = {
      fixtures: { ...fixtures, contacts: { complained: { email: "ada@example.com", list: 1 } } },
      notImplemented: ["listNewsletterLists" as const],
    };
    const { of } = await look(changes, async (url, init) => {
      if (url.endsWith("/contacts/ada%40example.com")) return Response.json({ lists: {} });
      return url.endsWith("/contacts") ? new Response(null, { status: 201 }) : fetch(url, init);
    });
    expect(of("contacts.complained")).toMatch(/^WRONG It is not on that list./);
    expect(of("lists.plain")).toBe("ok upsertContact: 201");
  });

  test("names them, and reports no key, list or field as wrong because of it", async () => {
    const { status, text } = await lookAt(async (url, init) => {
      if (/newsletter\/(lists|fields)$/.test(url)) return rejection(404, "not_found");
      return /emails\/contract-doctor-none$/.test(url)
        ? rejection(405, "method_not_allowed")
        : fetch(url, init);
    });
    expect(text).not.toContain("WRONG");
    expect(text).toContain(
      "the server has no GET /api/v1/newsletter/lists, no GET /api/v1/newsletter/fields, no GET /api/v1/emails/{id}",
    );
    expect(text).toContain("Unknown: listNewsletterLists responds with 404 not_found.");
    expect(text).toContain("Unknown: listCustomFields responds with 404 not_found.");
    expect(status).toBe(0);
  });

  test("questions the base URL if it has no operation that needs no id", async () => {
    const { status, text } = await lookAt(async (_, { method }) =>
      method === "POST" ? rejection(422, "invalid_request") : rejection(405, "method_not_allowed"),
    );
    expect(text).toContain("The server has none of these operations: is baseUrl correct?");
    expect(status).toBe(2);
  });
});

test("the doctor reports that a server sends scheduled messages at once, and schedules no more", async () => {
  let sends = 0;
  const { text } = await lookAt(async (url, { method, body, ...init }) => {
    if (method !== "POST" || !url.endsWith("/emails"))
      return fetch(url, { method, body, ...init } as RequestInit);
    sends += 1;
    const { scheduled_at: _, ...message } = JSON.parse(String(body)) as Record<string, unknown>;
    return fetch(url, { method, ...init, body: JSON.stringify(message) });
  });
  expect(sends).toBe(1);
  expect(text).toContain("This message was scheduled four weeks ahead, but the response has no scheduled_at");
  expect(text).toContain("the server most likely sent it at once: msg_");
  expect(text).toContain("Not checked: the server sends scheduled messages at once.");
});
