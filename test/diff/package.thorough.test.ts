import { execFile } from "node:child_process";
import { cp, mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { stringify } from "yaml";
import packageJson from "../../package.json" with { type: "json" };
import { compile } from "../../scripts/build.ts";
import { root } from "../../scripts/common/paths.ts";
import { frozenRelease } from "../../scripts/diff/inputs.ts";
import { sampleFolder } from "../scripts/copies.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { type Editable, schema } from "./changes/change.ts";

const execute = promisify(execFile);

interface Result {
  status: number;
  text: string;
}

// Another project with the package, its dependencies and nothing else.
describe("diff in an installed package", () => {
  const folder = temporaryFolder(afterAll);
  const at = (path: string): string => join(folder, path);
  const installed = (path: string): string => at(join("node_modules/email-api-contract", path));
  const diff = async (...options: string[]): Promise<Result> => {
    const env = { ...process.env, NO_COLOR: "1" };
    const args = [installed(packageJson.bin["email-api-contract"]), "diff", ...options];
    return execute(process.execPath, args, { cwd: folder, env }).then(
      ({ stdout }) => ({ status: 0, text: stdout }),
      ({ code, stdout, stderr }) => ({ status: code, text: `${stdout}${stderr}` }),
    );
  };

  beforeAll(async () => {
    const carried = packageJson.files.filter((name) => !/^(dist|docs|clients)\//.test(name));
    for (const name of ["package.json", ...carried])
      await cp(join(root, name), installed(name), { recursive: true });
    await mkdir(at("node_modules/@modelcontextprotocol"));
    for (const name of Object.keys(packageJson.dependencies))
      await symlink(join(root, "node_modules", name), at(`node_modules/${name}`));
    await compile(installed("dist"));
    const bundle: Editable = await frozenRelease("1.0.0");
    await writeFile(at("old.json"), JSON.stringify(bundle, null, 2));
    schema(bundle, "Page").properties.total = { type: "integer" };
    await writeFile(at("added.yaml"), stringify(bundle));
    delete schema(bundle, "Bounce").properties.summary;
    await writeFile(at("broken.json"), JSON.stringify(bundle, null, 2));
    await cp(sampleFolder, at("api"), { recursive: true });
  });

  test("two files are compared, with line numbers", async () => {
    const [added, broken] = await Promise.all([
      diff("old.json", "added.yaml"),
      diff("old.json", "broken.json"),
    ]);
    expect(added.status).toBe(0);
    expect(added.text).toMatch(/^added\.yaml:\d+:\d+ {2}additive/m);
    expect(broken.status).toBe(1);
    const line = Number(/^broken\.json:(\d+):\d+ {2}breaking/m.exec(broken.text)?.[1]);
    const lines = (await readFile(at("broken.json"), "utf8")).split("\n");
    expect(lines[line - 1]?.trim()).toBe('"properties": {');
  });

  test("the defaults are a release and the contract of the package", async () => {
    const [own, release] = await Promise.all([diff(), diff("1.0.0", "old.json")]);
    expect(own).toMatchObject({ status: 0, text: expect.stringContaining("this contract") });
    expect(release).toMatchObject({ status: 0, text: expect.stringContaining("No differences") });
  });

  test("git revisions are those of the project in the current folder", async () => {
    const git = (...args: string[]) =>
      execute("git", ["-c", "user.name=Test", "-c", "user.email=test@example.com", ...args], { cwd: folder });
    const none = await diff("HEAD:old.json", "old.json");
    expect(none).toMatchObject({ status: 2, text: expect.stringContaining("or a git revision") });
    await git("init", "--quiet");
    await git("add", "api", "old.json");
    await git("commit", "--quiet", "-m", "One");
    const [bundled, bare] = await Promise.all([diff("HEAD:old.json", "old.json"), diff("HEAD", "old.json")]);
    expect(bundled).toMatchObject({ status: 0, text: expect.stringContaining("No differences") });
    expect(bare).toMatchObject({ status: 2, text: expect.stringContaining("HEAD:path/to/openapi.yaml") });
  });

  test("a split document is followed by a package that is installed if it is needed", async () => {
    const without = await diff("api/openapi.yaml", "api/openapi.yaml");
    expect(without).toMatchObject({ status: 2, text: expect.stringContaining("@redocly/openapi-core@") });
    await symlink(join(root, "node_modules/@redocly"), at("node_modules/@redocly"));
    const split = await diff("api/openapi.yaml", "api/openapi.yaml");
    expect(split).toMatchObject({ status: 0, text: expect.stringContaining("No differences") });
  });
});
