import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { loadExpected, loadSettings } from "../../../contract/config/load.ts";
import { root } from "../../../scripts/common/paths.ts";
import { complaint, folderWith } from "./folder.ts";

const cli = join(root, "scripts/cli.ts");

/** Looks like the keys of the sandbox, so that a pattern for names alone would let it pass as one. */
const canary = "sandbox_canary_2f7c";
const inCapitals = "CANARY9F3B";
const url = "baseUrl: http://127.0.0.1:1\n";

const rejection = async (text: string, env = {}, name = "contract.config.yaml"): Promise<string> => {
  const folder = folderWith({ [name]: text });
  const { text: said, exitCode } = await complaint(loadSettings({ folder, env }));
  expect(exitCode).toBe(2);
  expect(said).not.toContain("canary");
  expect(said).not.toContain(inCapitals);
  return said.replaceAll(`${folder}/`, "");
};

const cases: Record<string, [text: string, said: string | RegExp]> = {
  "a key in place of a variable's name": [
    `${url}keys:\n  full: ${canary}\n`,
    "contract.config.yaml:3:9 keys.full is invalid (the NAME of an environment variable",
  ],
  "a key in capitals in place of a variable's name": [
    `${url}keys:\n  full: ${inCapitals}\n`,
    "contract.config.yaml:3:9 keys.full names a variable that is not set: set it, or remove the line",
  ],
  "a key as a name": [
    `${url}keys:\n  ${canary}: X\n`,
    "contract.config.yaml:3:24 keys.*** is not a known property",
  ],
  "a URL of something else than a page": [
    `${url}implementation:\n  name: Mail\n  version: "1"\n  url: ftp://mail.example\n`,
    "implementation.url is invalid (An http or https URL where others read about it)",
  ],
  "an unknown property with properties, by its own line": [
    `${url}implementaton:\n  name: Mail\n`,
    "contract.config.yaml:2:1 implementaton is not a known property",
  ],
  "an unknown property in snake case": [
    `${url}base_url: http://127.0.0.1:2\n`,
    "contract.config.yaml:2:11 base_url is not a known property",
  ],
  "a key in braces as a name": [
    `${url}keys:\n  ? { ${canary}: 1 }\n  : X\n`,
    "keys.*** is not a known property",
  ],
  "a key as an unknown tag": [
    `${url}keys:\n  full: !${canary} X\n`,
    "keys.full names a variable that is not set",
  ],
  "a key as an alias of nothing": [`${url}keys:\n  full: *${canary}\n`, "has unresolvable aliases"],
  "a key among other settings": [
    `${url}${canary}: X\n`,
    "*** is not a known property; the known ones are baseUrl, implementation",
  ],
  "a key as the base URL": [`baseUrl: ${canary}\n`, "1:10 baseUrl must be an http or https URL"],
  "a key in the base URL": [
    `baseUrl: https://u:${canary}@a.example\n`,
    "baseUrl must not contain a user or a password",
  ],
  "a query in the base URL": [
    `baseUrl: https://a.example?key=${canary}\n`,
    "baseUrl must not have a query or a fragment",
  ],
  "the prefix in the base URL": [
    "baseUrl: https://a.example/api/v1\n",
    "must not end with /api/v1, which every path",
  ],
  "no base URL": [
    "profile: core\n",
    "the base URL of the server is missing\nGive --base-url URL, or write `baseUrl: URL`",
  ],
  "an unknown setting": [
    `${url}domain: a.example\n`,
    "2:9 domain is not a known property; the known ones are baseUrl",
  ],
  "an unknown profile": [
    `${url}profile: everything\n`,
    "2:10 profile must be one of mock, core, email, newsletter, full",
  ],
  "an email address as a domain": [`${url}simulatorDomain: a@b.example\n`, "simulatorDomain is invalid"],
  "a string as a list": [
    `${url}lists: { plain: two }\n`,
    "2:17 lists.plain must be an integer (A list without double opt-in)",
  ],
  "a link of an attachment that the suite serves": [
    `${url}attachmentLink: https://a.example/b\nattachmentServer: { port: 8089, url: https://a.example }\n`,
    "2:17 attachmentLink must not be set with attachmentServer",
  ],
  "a deadline of 0": [`${url}deadlines: { response: 0 }\n`, "deadlines.response must be > 0"],
  "a password in the URL of a hook": [
    `${url}hooks: { reset: { url: "https://ada:${canary}@host.example/reset" } }\n`,
    "hooks.reset.url is invalid (An absolute URL without a user or a password, which headers can carry, or a path",
  ],
  "a hook without a URL": [`${url}hooks: { reset: {} }\n`, "hooks.reset must have the property url"],
  "an unknown placeholder of a hook": [
    `${url}hooks: { advanceClock: { url: "/clock/{minutes}" } }\n`,
    "2:31 hooks.advanceClock.url has an unknown placeholder; the known ones of this hook are {seconds}",
  ],
  "a body of a GET request": [
    `${url}hooks: { reset: { method: GET, url: /x, body: {} } }\n`,
    "hooks.reset.body must not be set for GET",
  ],
  "a hook's secret that is not set": [
    `${url}hooks: { reset: { url: /x, headers: { authorization: { env: ${inCapitals} } } } }\n`,
    "hooks.reset.headers.authorization.env names a variable that is not set",
  ],
  "a hook's header of another type": [
    `${url}hooks: { reset: { url: /x, headers: { authorization: [${canary}] } } }\n`,
    "authorization is invalid (a string, or { env: NAME } for a secret",
  ],
  "the same list twice": [
    `${url}lists: { plain: 1, second: 1 }\n`,
    "lists.second must differ from lists.plain",
  ],
  "the same domain twice": [
    `${url}domains: { verified: a.example, stopped: a.example }\n`,
    "domains.stopped must differ from domains.verified",
  ],
  "invalid YAML": [`${url}keys: {\n  full: "${canary}\n`, "invalid YAML or JSON: "],
  "two documents": [`${url}---\n${url}`, "must contain one document"],
  "an array": ["- 1\n", "1:1 the document must be an object"],
};

const modules: Record<string, [text: string, said: string | RegExp]> = {
  "no default export": [`export const key = "${canary}";`, "must have an object as its default export"],
  "a key without quotes": [
    `export default {\n  keys: { full: ${canary} },\n};`,
    "cannot load contract.config.mjs:2:17: ReferenceError",
  ],
  "a syntax error": [
    `export default { keys: ${canary} ${canary} };`,
    /cannot load contract\.config\.mjs:1:\d+: /,
  ],
  "an import of a missing file": [
    `import "./nowhere.mjs"; export default {};`,
    /cannot load contract\.config\.mjs\S*: Error/,
  ],
  "an error of its own": [`throw new Error("${canary}");`, /cannot load contract\.config\.mjs\S*: Error/],
  "a function as a setting": ["export default { baseUrl: () => 1 };", "baseUrl must be a string"],
  "a function as an unknown hook": [
    `export default { baseUrl: "http://a.example", hooks: { wait: () => 1 } };`,
    "hooks.wait is not a known property",
  ],
};

describe("a configuration is rejected, without its values in the message, for", () => {
  test.each(Object.keys(cases))("%s", async (name) => {
    const warnings = vi.spyOn(process, "emitWarning");
    onTestFinished(() => warnings.mockRestore());
    const [text, said] = cases[name] ?? ["", ""];
    expect(await rejection(text)).toMatch(said);
    expect(warnings).not.toHaveBeenCalled();
  });

  test.each(Object.keys(modules))("a module with %s", async (name) => {
    const [text, said] = modules[name] ?? ["", ""];
    expect(await rejection(text, {}, "contract.config.mjs")).toMatch(said);
  });

  test("a key that no header can contain", async () => {
    const said = await rejection(url, { CONTRACT_API_KEY: `${canary}\n` });
    expect(said).toContain(
      "keys.full is read from CONTRACT_API_KEY, which contains characters that a key cannot have",
    );
  });

  test("one key in two roles that must differ, and not for others", async () => {
    const env = { CONTRACT_API_KEY: canary, CONTRACT_KEY_SECOND: canary };
    expect(await rejection(url, env)).toContain("has the same key as keys.full");
    const folder = folderWith({ "contract.config.yaml": url });
    const others = { CONTRACT_KEY_NO_PLAN: canary, CONTRACT_KEY_OTHER_ACCOUNT: canary };
    const { keys } = await loadSettings({ folder, env: others });
    expect(keys).toEqual({ noPlan: canary, otherAccount: canary });
  });

  test("several problems at once, each with its position", async () => {
    const said = await rejection(`${url}profile: x\nlists: { plain: a }\nkeys: { full: ${canary} }\n`);
    expect(said.match(/contract\.config\.yaml:\d+:\d+/g)).toHaveLength(3);
  });

  test("several default files", async () => {
    const folder = folderWith({ "contract.config.yaml": url, "contract.config.json": "{}" });
    const { text } = await complaint(loadSettings({ folder, env: {} }));
    expect(text).toContain("several configurations: contract.config.yaml, contract.config.json");
  });

  test.each(["none.yaml", "none.mjs"])("a missing file: %s", async (file) => {
    const { text } = await complaint(loadSettings({ folder: folderWith(), file, env: {} }));
    expect(text).toContain(`${file}: there is no such file`);
  });

  test("an unknown extension", async () => {
    const { text } = await complaint(
      loadSettings({ folder: folderWith({ "a.txt": "" }), file: "a.txt", env: {} }),
    );
    expect(text).toContain("a.txt must have one of the extensions .yaml");
  });

  test("a directory", async () => {
    const { text } = await complaint(loadSettings({ folder: folderWith(), file: ".", env: {} }));
    expect(text).toMatch(
      / is a directory\nGive the path of the file in it, such as contract\.config\.yaml\.$/,
    );
  });

  // Vitest loads modules in its own way, and this is about Node's.
  const doctorIn = (folder: string) =>
    spawnSync(process.execPath, [cli, "contract", "doctor"], { cwd: folder, encoding: "utf8" });

  test.each(["ts", "js"])("a .%s module in a CommonJS package", async (extension) => {
    const { stderr, status } = doctorIn(
      folderWith({
        "package.json": '{ "type": "commonjs" }',
        [`contract.config.${extension}`]: `import "node:fs";\nexport default { baseUrl: "${canary}" };`,
      }),
    );
    expect(status).toBe(2);
    expect(stderr).toContain(`cannot load contract.config.${extension}:1: SyntaxError`);
    expect(stderr.replaceAll(/\n +/g, " ")).toContain('set "type": "module", or name the file .mts or .mjs.');
    expect(stderr).not.toContain(canary);
  });

  test("a module that imports an invalid CommonJS module", async () => {
    const { stderr, status } = doctorIn(
      folderWith({
        "data.cjs": `export default "${canary}";`,
        "contract.config.mts": 'import data from "./data.cjs";\nexport default { baseUrl: data };',
      }),
    );
    expect(status).toBe(2);
    expect(stderr).toContain("cannot load contract.config.mts: SyntaxError");
    expect(stderr).toContain("`node contract.config.mts` prints the whole error.");
    expect(stderr).not.toContain(canary);
  });

  test("an option --base-url that is not a URL", async () => {
    const { text } = await complaint(loadSettings({ folder: folderWith(), baseUrl: `x ${canary}`, env: {} }));
    expect(text).toContain("--base-url must be an http or https URL");
    expect(text).not.toContain(canary);
  });
});

describe("a list of expected failures", () => {
  const read = (text: string, name = "expected.yaml") =>
    loadExpected(`${folderWith({ [name]: text })}/${name}`);

  test("is read from YAML and JSON", async () => {
    const entries = [{ id: "SEND-9", reason: "long subjects are cut" }];
    expect(await read("- id: SEND-9\n  reason: long subjects are cut\n")).toEqual(entries);
    expect(await read(JSON.stringify(entries), "expected.json")).toEqual(entries);
    expect(await read("# nothing yet\n")).toEqual([]);
    const narrow = [
      {
        id: "AUTH-1",
        operation: "sendBatch",
        case: "a check: sendBatch",
        owner: "mail",
        until: "2026-12-31",
      },
      { id: "AUTH-1", operation: "getEmail" },
    ];
    expect(await read(JSON.stringify(narrow), "expected.json")).toEqual(narrow);
  });

  test.each([
    ["missing.yaml", "no such file\nGive the path of a YAML or JSON file.$"],
    ["expected.mjs", "extensions \\.yaml \\.yml \\.json\nRename the file\\.$"],
    [".", "is a directory\nGive the path of the file in it, such as expected-failures\\.yaml\\.$"],
  ])("is no module, and is named as what it is: %s", async (name, said) => {
    const folder = folderWith({ "expected.mjs": "export default [];" });
    expect((await complaint(loadExpected(`${folder}/${name}`))).text).toMatch(new RegExp(said));
  });

  test("all problems are said at once, in the order of the entries", async () => {
    const lines = [
      "- { id: HEAD-1, operation: no }",
      "- { id: HEAD-111 }",
      "- { id: ERR-5, until: soon }",
      "- 7",
    ];
    const { text } = await complaint(read(lines.join("\n")));
    expect(text).toMatch(/4 problems.*\[0\]\.operation.*\[1\]\.id.*\[2\]\.until.*\[3\]/s);
  });

  test.each([
    ["- { reason: x }", "1:3 [0] must have the property id"],
    [
      "- { id: SEND-9, operation: sendMail }",
      "1:28 [0].operation is not an operation: sendMail; the operations",
    ],
    ["- { id: SEND-9, until: soon }", "1:24 [0].until is invalid (the last day"],
    ["- { id: SEND-9, until: 2027-02-30 }", "1:24 [0].until is not a day of the calendar: 2027-02-30"],
    ["- { id: SEND-9, reason: '' }", "1:25 [0].reason is invalid (why it fails"],
    ["- { id: SEND-9999, reason: x }", "1:9 [0].id is not a requirement: SEND-9999"],
    ["- { id: SEND-9, reason: x }\n- { id: SEND-9, reason: y }", "2:9 [1].id is a duplicate: SEND-9"],
    ["SEND-9: x", "1:1 the document must be an array"],
  ])("is rejected: %s", async (text, said) => {
    expect((await complaint(read(text))).text).toContain(said);
  });
});
