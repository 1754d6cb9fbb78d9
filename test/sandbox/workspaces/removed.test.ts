import { expect, it, onTestFinished, vi } from "vitest";
import { ClosedError } from "../../../sandbox/domain/closed.ts";
import { startSandbox } from "../../../sandbox/index.ts";
import { Workspaces } from "../../../sandbox/workspaces/workspaces.ts";

const id = "0".repeat(20);

it.for(["/api/v1/me", "/sandbox/clock", "/"])(
  "%s of a workspace that is removed while it handles the request is not found",
  async (path) => {
    const sandbox = await startSandbox();
    const find = vi.spyOn(Workspaces.prototype, "find").mockResolvedValue({
      entry: { id, createdAt: 0, expiresAt: 1 },
      world: {
        gateway: { handle: () => Promise.reject(new ClosedError()), bodyLimit: () => 0 },
        stop() {},
        close: async () => {},
      },
    });
    onTestFinished(async () => {
      find.mockRestore();
      await sandbox.close();
    });
    const response = await fetch(`${sandbox.url}/workspaces/${id}${path}`);
    expect(response.status).toBe(404);
    expect(await response.text()).toContain("There is no workspace");
  },
);
