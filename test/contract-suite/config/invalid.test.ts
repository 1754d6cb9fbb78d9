import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { root } from "../../../scripts/paths.ts";
import { loadExpected } from "../../contract/config/expected.ts";
import { loadSettings } from "../../contract/config/load.ts";
import { complaint, folderWith } from "./folder.ts";

const cli = join(root, "scripts/cli.ts");
/** Looks like the keys of the sandbox, so that a pattern for names alone would let it pass as one. */
const canary = "sandbox_canary_2f7c";
const inCapitals = "CANARY9F3B";
const url = "baseUrl: http://127.0.0.1:1\n";

const refused = async (text: string, env = {}, name = "contract.config.yaml"): Promise<string> => {
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
    "contract.config.yaml:3:9 keys.full does not look right (The NAME of an environment variable",
  ],
  "a key in capitals in place of a variable's name": [
    `${url}keys:\n  full: ${inCapitals}\n`,
    "contract.config.yaml:3:9 keys.full names a variable that is not set: set it, or take the line out",
  ],
  "a key as a name": [
    `${url}keys:\n  ${canary}: X\n`,
    "contract.config.yaml:3:24 keys.*** is not known here",
  ],
  "a key in braces as a name": [`${url}keys:\n  ? { ${canary}: 1 }\n  : X\n`, "keys.*** is not known here"],
  "a key as an unknown tag": [
    `${url}keys:\n  full: !${canary} X\n`,
    "keys.full names a variable that is not set",
  ],
  "a key as an alias of nothing": [
    `${url}keys:\n  full: *${canary}\n`,
    "has aliases that cannot be followed",
  ],
  "a key among other settings": [`${url}${canary}: X\n`, "*** is not known here; known are baseUrl, profile"],
  "a key as the address": [`baseUrl: ${canary}\n`, "1:10 baseUrl is not the address of a server"],
  "a key in the address": [
    `baseUrl: https://u:${canary}@a.example\n`,
    "baseUrl has a user or a password in it",
  ],
  "a query in the address": [
    `baseUrl: https://a.example?key=${canary}\n`,
    "baseUrl has a query or a fragment",
  ],
  "the prefix in the address": [
    "baseUrl: https://a.example/api/v1\n",
    "ends with /api/v1, which is part of every",
  ],
  "no address": ["profile: core\n", "No server is named.\nGive --base-url URL, or write `baseUrl: URL`"],
  "an unknown setting": [`${url}domain: a.example\n`, "2:9 domain is not known here; known are baseUrl"],
  "an unknown profile": [
    `${url}profile: everything\n`,
    "2:10 profile is not one of mock, core, email, newsletter, full",
  ],
  "an unknown tag": [`${url}without: [quick]\n`, "2:11 without[0] is not one of slow, burst, clock"],
  "an address as a domain": [`${url}simulatorDomain: a@b.example\n`, "simulatorDomain does not look right"],
  "a text as a list": [
    `${url}lists: { plain: two }\n`,
    "2:17 lists.plain is not a whole number (One without double opt-in)",
  ],
  "no address of a contact": [
    `${url}contacts: { cleaned: { list: 1 } }\n`,
    "2:22 contacts.cleaned lacks email",
  ],
  "a link that is not https": [
    `${url}attachmentLink: http://a.example/b\n`,
    "attachmentLink does not look right",
  ],
  "a deadline of nothing": [
    `${url}deadlines: { answer: 0 }\n`,
    "deadlines.answer is too small: it must be more than 0",
  ],
  "a deadline without end": [`${url}deadlines: { answer: 9999 }\n`, "is too large: it must be at most 600"],
  "a hook without an address": [`${url}hooks: { reset: {} }\n`, "hooks.reset lacks url"],
  "an unknown hook": [
    `${url}hooks: { wait: { url: /wait } }\n`,
    "hooks.wait is not known here; known are advanceClock",
  ],
  "a hook's unknown value": [
    `${url}hooks: { advanceClock: { url: "/clock/{minutes}" } }\n`,
    "2:31 hooks.advanceClock.url has a {name} that this hook does not fill in; it fills in {seconds}",
  ],
  "a body that no call has": [
    `${url}hooks: { reset: { method: GET, url: /x, body: {} } }\n`,
    "hooks.reset.body goes with POST, PUT, PATCH or DELETE only",
  ],
  "a hook's secret that is not set": [
    `${url}hooks: { reset: { url: /x, headers: { authorization: { env: ${inCapitals} } } } }\n`,
    "hooks.reset.headers.authorization.env names a variable that is not set",
  ],
  "a hook's header of another type": [
    `${url}hooks: { reset: { url: /x, headers: { authorization: [${canary}] } } }\n`,
    "authorization does not look right (A text, or { env: NAME } for a secret",
  ],
  "the same list twice": [
    `${url}lists: { plain: 1, second: 1 }\n`,
    "lists.second is the same list as lists.plain",
  ],
  "the same domain twice": [
    `${url}domains: { verified: a.example, stopped: a.example }\n`,
    "domains.stopped is domains.verified",
  ],
  "a line that is no YAML": [`${url}keys: {\n  full: "${canary}\n`, "this is not YAML or JSON: "],
  "two documents": [`${url}---\n${url}`, "holds several documents"],
  "an empty file": ["", "No server is named."],
  "a list": ["- 1\n", "1:1 the whole is not an object"],
};

const modules: Record<string, [text: string, said: string | RegExp]> = {
  "no default export": [`export const key = "${canary}";`, "has no object as its default export"],
  "a key without quotes": [
    `export default {\n  keys: { full: ${canary} },\n};`,
    "contract.config.mjs:2:17 cannot be loaded: ReferenceError",
  ],
  "a mistake in the language": [
    `export default { keys: ${canary} ${canary} };`,
    /mjs:1:\d+ cannot be loaded/,
  ],
  "an import of nothing": [`import "./nowhere.mjs"; export default {};`, "cannot be loaded: Error"],
  "an error of its own": [`throw new Error("${canary}");`, "cannot be loaded: Error"],
  "a function as a setting": [
    "export default { baseUrl: () => 1 };",
    "contract.config.mjs baseUrl is not a text",
  ],
  "a function as an unknown hook": [
    `export default { baseUrl: "http://a.example", hooks: { wait: () => 1 } };`,
    "contract.config.mjs hooks.wait is not known here",
  ],
};

describe("a configuration is refused, without a value of it in the message, for", () => {
  test.each(Object.keys(cases))("%s", async (name) => {
    const warnings = vi.spyOn(process, "emitWarning");
    onTestFinished(() => warnings.mockRestore());
    const [text, said] = cases[name] ?? ["", ""];
    expect(await refused(text)).toMatch(said);
    expect(warnings).not.toHaveBeenCalled();
  });

  test.each(Object.keys(modules))("a module with %s", async (name) => {
    const [text, said] = modules[name] ?? ["", ""];
    expect(await refused(text, {}, "contract.config.mjs")).toMatch(said);
  });

  test("a key that no header can hold", async () => {
    const said = await refused(url, { CONTRACT_API_KEY: `${canary}\n` });
    expect(said).toContain("keys.full is read from CONTRACT_API_KEY, which holds characters that no key has");
  });

  test("one key in two roles that must differ, and not for others", async () => {
    const env = { CONTRACT_API_KEY: canary, CONTRACT_KEY_SECOND: canary };
    expect(await refused(url, env)).toContain("holds the same key as keys.full");
    const folder = folderWith({ "contract.config.yaml": url });
    const others = { CONTRACT_KEY_NO_PLAN: canary, CONTRACT_KEY_OTHER_ACCOUNT: canary };
    const { keys } = await loadSettings({ folder, env: others });
    expect(keys).toEqual({ noPlan: canary, otherAccount: canary });
  });

  test("several mistakes at once, each with its place", async () => {
    const said = await refused(`${url}profile: x\nlists: { plain: a }\nkeys: { full: ${canary} }\n`);
    expect(said.match(/contract\.config\.yaml:\d+:\d+/g)).toHaveLength(3);
  });

  test("several files with the usual names", async () => {
    const folder = folderWith({ "contract.config.yaml": url, "contract.config.json": "{}" });
    const { text } = await complaint(loadSettings({ folder, env: {} }));
    expect(text).toContain("several configurations here: contract.config.yaml, contract.config.json");
  });

  test.each(["none.yaml", "none.mjs"])("a file that is not there: %s", async (file) => {
    const { text } = await complaint(loadSettings({ folder: folderWith(), file, env: {} }));
    expect(text).toContain(`${file} cannot be read: there is no such file.`);
  });

  test("an ending that says nothing", async () => {
    const { text } = await complaint(
      loadSettings({ folder: folderWith({ "a.txt": "" }), file: "a.txt", env: {} }),
    );
    expect(text).toContain("a.txt has none of the endings .yaml");
  });

  test("a folder", async () => {
    const { text } = await complaint(loadSettings({ folder: folderWith(), file: ".", env: {} }));
    expect(text).toMatch(/ is a folder\.\nGive the configuration in it, such as contract\.config\.yaml\.$/);
  });

  test.each(["ts", "js"])("a .%s module that the package.json beside it calls CommonJS", async (ending) => {
    const folder = folderWith({
      "package.json": '{ "type": "commonjs" }',
      [`contract.config.${ending}`]: `import "node:fs";\nexport default { baseUrl: "${canary}" };`,
    });
    // Vitest loads modules in its own way, and this is about Node's.
    const run = promisify(execFile)(process.execPath, [cli, "contract", "doctor"], { cwd: folder });
    const { stderr, code } = await run.then(
      () => ({ stderr: "", code: 0 }),
      (error: { stderr: string; code: number }) => error,
    );
    expect(code).toBe(2);
    expect(stderr).toContain(`contract.config.${ending}:1 cannot be loaded: SyntaxError`);
    expect(stderr).toContain(`name the file contract.config.m${ending}, or set "type": "module".`);
    expect(stderr).not.toContain(canary);
  });

  test("an address among the options that is none", async () => {
    const { text } = await complaint(loadSettings({ folder: folderWith(), baseUrl: `x ${canary}`, env: {} }));
    expect(text).toContain("--base-url is not the address of a server.");
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
  });

  test.each([
    ["- { id: SEND-9 }", "1:3 [0] lacks reason"],
    ["- { id: SEND-9, reason: '' }", "1:25 [0].reason does not look right (Why it fails"],
    ["- { id: SEND-9999, reason: x }", "1:9 [0].id is no requirement: SEND-9999"],
    ["- { id: SEND-9, reason: x }\n- { id: SEND-9, reason: y }", "2:9 [1].id is there twice: SEND-9"],
    ["SEND-9: x", "1:1 the whole is not an array"],
  ])("is refused: %s", async (text, said) => {
    expect((await complaint(read(text))).text).toContain(said);
  });
});
