// For the plain `spectral lint` command and editors, whose loader reads no TypeScript: an import of the package (`#lint`)
// is left to Node, which does. The loader wants a default export.
// biome-ignore lint/style/noDefaultExport: the loader takes no other
export { ruleset as default } from "#lint";
