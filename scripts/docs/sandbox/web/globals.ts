// The part of the global `Buffer` of Node that the sandbox uses. The bundler inserts it where the name is used.

const encoder = new TextEncoder();

export const Buffer = { byteLength: (text: string): number => encoder.encode(text).length };
