// For the plain `spectral lint` command and editors, whose loader reads no TypeScript: by the name of the package
// the ruleset is left to Node, which does. The loader wants a default export.
// biome-ignore lint/style/noDefaultExport: the loader takes no other
export { ruleset as default } from "email-api-contract/lint";
