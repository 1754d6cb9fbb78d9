import { writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import type ts from "typescript";
import { API } from "typescript7/unstable/sync";
import { afterAll, beforeAll, expect, test } from "vitest";
import { errors } from "../../generated/errors.ts";
import { operations } from "../../generated/operations.ts";
import { root } from "../../scripts/common/paths.ts";
import { type Compiler, compile, compilers } from "../compiler.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { installExamples, type Project } from "./installed.ts";

let project: Project;
beforeAll(async () => {
  project = await installExamples();
});
afterAll(() => project.remove());

test.for(Object.keys(compilers) as Compiler[])(
  "the types accept valid and reject invalid code, and the examples of the README compile, with %s",
  async (compiler) => {
    expect(await project.check(compiler)).toBe("");
  },
);

// What an editor shows: completions, and the text of an error.

const client = JSON.stringify(join(root, "client/src/index.ts"));
const settings = {
  compilerOptions: {
    ...{ target: "es2024", lib: ["es2024"], module: "nodenext", strict: true, noEmit: true },
    ...{ allowImportingTsExtensions: true, skipLibCheck: true, types: ["node"] },
    typeRoots: [join(root, "node_modules/@types")],
  },
  files: ["program.ts"],
};

const folder = temporaryFolder(afterAll);
beforeAll(async () => {
  await writeFile(join(folder, "package.json"), '{ "type": "module" }');
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify(settings));
});

/** The completions at a position of program.ts, by the language service of a compiler. */
async function completionsAt(compiler: Compiler, position: number): Promise<string[]> {
  const file = join(folder, "program.ts");
  if (compiler === "TypeScript 7") {
    const api = new API({ cwd: folder });
    const [project] = api.updateSnapshot({ openProject: join(folder, "tsconfig.json") }).getProjects();
    const found = project?.checker.getCompletionsAtPosition(file, position)?.entries ?? [];
    api.close();
    return found.map(({ name }) => name);
  }
  const service: typeof ts = createRequire(import.meta.url)(compilers[compiler]);
  const { options } = service.parseJsonConfigFileContent(settings, service.sys, folder);
  const languageService = service.createLanguageService({
    getCurrentDirectory: () => folder,
    getCompilationSettings: () => options,
    getDefaultLibFileName: service.getDefaultLibFilePath,
    getScriptFileNames: () => [file],
    getScriptVersion: () => "1",
    getScriptSnapshot: (name) => service.ScriptSnapshot.fromString(service.sys.readFile(name) ?? ""),
    fileExists: service.sys.fileExists,
    readFile: service.sys.readFile,
  });
  const found = languageService.getCompletionsAtPosition(file, position, {})?.entries ?? [];
  return found.map(({ name }) => name);
}

const typesOf = (id: "sendEmail" | "cancelEmail"): string[] =>
  [...new Set(operations[id].errors.flatMap((error) => errors[error].type ?? []))].sort();

test.for(Object.keys(compilers) as Compiler[])(
  "after isErrorOf an editor completes the error types of the operation, and any text is allowed: %s",
  { timeout: 120_000 },
  async (compiler) => {
    const ids = ["sendEmail", "cancelEmail"] as const;
    const lines = ids.map(
      (id) => `if (isErrorOf(error, "${id}") && error.type === "") error.fields;
if (isErrorOf(error, "${id}") && error.type === "a_type_of_next_year") error.fields;`,
    );
    const code = `import { isErrorOf } from ${client};\ndeclare const error: unknown;\n${lines.join("\n")}`;
    await writeFile(join(folder, "program.ts"), code);
    for (const [index, id] of ids.entries()) {
      const place = code.indexOf('""', code.indexOf(lines[index] ?? "")) + 1;
      expect((await completionsAt(compiler, place)).sort()).toEqual(typesOf(id));
    }
    expect(await compile(compiler, folder, settings)).toBe("");
  },
);

const conflict =
  /template_id cannot be combined with subject, html or text|text cannot be combined with template_id/;
const wrong: [object: string, text: RegExp][] = [
  [`subject: "s", text: "t", template_id: "w"`, conflict],
  [`html: "h", template_id: "w"`, conflict],
  [`text: "t", template_id: "w", variables: {}`, conflict],
  [`text: "t"`, /Property 'subject' is missing/],
];
test.for(Object.keys(compilers) as Compiler[])(
  "a template together with content is an error that names the conflict: %s",
  { timeout: 120_000 },
  async (compiler) => {
    const calls = wrong.map(
      ([properties]) =>
        `emails.send({ ...base, ${properties} });\nemails.batch.send([{ ...base, ${properties} }]);`,
    );
    const code = `import { createClient } from ${client};
const base = { from: "a@b.example", to: ["c@d.example"] };
const { emails } = createClient({ key: "k", baseUrl: "https://api.example.com" });
${calls.join("\n")}`;
    await writeFile(join(folder, "program.ts"), code);
    const lines = (await compile(compiler, folder, settings)).split(/\n(?! )/).filter(Boolean);
    expect(lines).toEqual(
      wrong.flatMap(([, text]) => [expect.stringMatching(text), expect.stringMatching(text)]),
    );
  },
);
