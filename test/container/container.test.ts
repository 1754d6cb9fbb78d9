import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import packageJson from "../../package.json" with { type: "json" };
import { root } from "../../scripts/common/paths.ts";
import { newProgram } from "../../scripts/common/program.ts";
import { addSandboxCommand } from "../../scripts/sandbox/command.ts";
import { container } from "./containerfile.ts";

interface Service {
  image: string;
  command: string[];
  read_only: boolean;
  user: string;
  ports: string[];
}

const read = (file: string): string => readFileSync(join(root, file), "utf8");
const compose: { services: Record<string, Service> } = parse(read("compose.yaml"));
const sandbox = compose.services.sandbox;

const program = newProgram();
addSandboxCommand(program);
const options = program.commands[0]?.options ?? [];

test("the container runs the command of the package, as a user without rights", () => {
  const { entrypoint } = container;
  expect(entrypoint[0]).toBe("node");
  const path = entrypoint.at(-1) ?? "";
  const bin = path.replace(`/app/node_modules/${packageJson.name}/`, "");
  expect(bin).toBe(packageJson.bin["email-api-contract"]);
  expect(existsSync(join(root, bin))).toBe(true);
  expect(container.command[0]).toBe("sandbox");
  expect(container.user).toBe("1000:1000");
});

test("the container starts Node with the options of `npm run sandbox`, which the guide names", () => {
  const used = packageJson.scripts.sandbox.split(" ").filter((word) => word.startsWith("--"));
  expect(used.length).toBeGreaterThan(0);
  expect(container.entrypoint.slice(1, -1)).toEqual(used);
  expect(read("docs/sandbox.md")).toContain(`\`${used.join(" ")}\``);
});

test("the container exposes and checks the usual port", () => {
  expect(options.find(({ long }) => long === "--port")?.defaultValue).toBe(container.port);
  expect(container.healthUrl).toBe(`http://127.0.0.1:${container.port}/health`);
});

test("every option that the container and compose.yaml use exists", () => {
  const commands = [container.command, sandbox?.command ?? []];
  const used = commands.flat().filter((word) => word.startsWith("--"));
  const names = new Set(used.map((word) => word.split("=")[0]));
  expect([...names].filter((name) => !options.some(({ long }) => long === name))).toEqual([]);
  for (const command of commands) expect(command[0]).toBe("sandbox");
});

test("compose.yaml has a sandbox that writes nothing, on a database, at the usual port", () => {
  expect(sandbox).toMatchObject({ read_only: true, user: container.user });
  expect(sandbox?.command).toContain("--data=postgres://sandbox@database/sandbox");
  expect(sandbox?.ports).toEqual([`127.0.0.1:${container.port}:${container.port}`]);
});

test("images and actions are pinned by digest", () => {
  expect(container.bases.length).toBe(2);
  const images = [...container.bases, compose.services.database?.image ?? ""];
  const { jobs } = parse(read(".github/workflows/checks.yml")) as {
    jobs: Record<string, { container: string }>;
  };
  expect(Object.values(jobs).map((job) => job.container)).toEqual([container.bases[0]]);
  // The guide says how to find the digest, which would be old there.
  expect(read("docs/publishing.md").match(/^FROM .*$/gm)).toEqual(["FROM docker.io/library/caddy:2@DIGEST"]);
  expect(read("docs/publishing.md")).toContain(
    "docker://docker.io/library/caddy:2` prints in place of `DIGEST`",
  );
  for (const image of images) expect(image).toMatch(/^docker\.io\/library\/\w+:[\w.-]+@sha256:[0-9a-f]{64}$/);
  const own = /example\/email-api-contract@|\.\//;
  const actions = ["action.yml", "docs/ci.md", "docs/publishing.md"].flatMap((file) =>
    [...read(file).matchAll(/^ *(?:- )?uses: (.+)$/gm)].map(([, action = ""]) => action),
  );
  expect(actions.length).toBeGreaterThan(5);
  const loose = actions.filter(
    (action) => !own.test(action) && !/@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(action),
  );
  expect(loose).toEqual([]);
});
