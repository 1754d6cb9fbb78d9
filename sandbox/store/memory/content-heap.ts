import type { MessageContent } from "../../domain/records.ts";

/** Contents are small: one that stays for long keeps few others in memory. In bytes. */
const blockSize = 16 * 1024;

/** A content in a block. */
export interface StoredContent {
  readonly block: Uint8Array<ArrayBuffer>;
  readonly start: number;
  readonly end: number;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/**
 * The contents of messages as JSON in blocks of bytes: most are never read again, and as objects they take several times the memory and the
 * time of the garbage collector. A block is freed with the last message that refers to it.
 */
export class ContentHeap {
  #block = new Uint8Array(blockSize);
  #used = 0;

  add(content: MessageContent): StoredContent {
    const json = JSON.stringify(content);
    const start = this.#used;
    const { read, written } = encoder.encodeInto(json, this.#block.subarray(start));
    if (read < json.length) return this.#addBlock(json);
    this.#used += written;
    return { block: this.#block, start, end: this.#used };
  }

  /** Adds what the current block has no room for. */
  #addBlock(json: string): StoredContent {
    const bytes = encoder.encode(json);
    const end = bytes.length;
    if (end > blockSize / 4) return { block: bytes, start: 0, end };
    this.#block = new Uint8Array(blockSize);
    this.#block.set(bytes);
    this.#used = end;
    return { block: this.#block, start: 0, end };
  }
}

export const readContent = ({ block, start, end }: StoredContent): MessageContent =>
  JSON.parse(decoder.decode(block.subarray(start, end)));
