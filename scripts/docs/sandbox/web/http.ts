// The part of `node:http` that the sandbox uses: Node's default limit, in bytes.
export const maxHeaderSize = 16_384;
