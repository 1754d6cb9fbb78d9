// `npm run pictures`: the pictures of the README, from the site in `dist/docs` and a run of the contract suite.
import { statSync } from "node:fs";
import { join, relative } from "node:path";
import { root } from "../../scripts/common/paths.ts";
import { serveSite } from "../../scripts/docs/serve.ts";
import { writePictures } from "./pictures.ts";

const server = await serveSite({ folder: join(root, "dist/docs"), base: "/", port: 0, host: "127.0.0.1" });
const files = await writePictures(server.url, join(root, "docs/pictures"));
for (const file of files) console.log(`${relative(root, file)}: ${statSync(file).size} bytes`);
await server.close();
