import type { MessageContent } from "../../domain/records.ts";

/** Contents are small: one that stays for long keeps few others in memory. In bytes. */
const blockSize = 16 * 1024;

/** The most blocks that wait for further contents. */
const mostFree = 256;

interface Block {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** How many contents are in it. */
  contents: number;
}

/** A content in a block. */
export interface StoredContent {
  readonly block: Block;
  readonly start: number;
  readonly end: number;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/**
 * The contents of messages as JSON in blocks of bytes: most are never read again, and as objects they take several times the memory and the
 * time of the garbage collector. A block is used again once all of its contents are removed.
 */
export class ContentHeap {
  #block = newBlock();
  #used = 0;
  readonly #free: Block[] = [];

  add(content: MessageContent): StoredContent {
    const json = JSON.stringify(content);
    const start = this.#used;
    const { read, written } = encoder.encodeInto(json, this.#block.bytes.subarray(start));
    return read < json.length ? this.#addBlock(json) : this.#added(written);
  }

  remove({ block }: StoredContent): void {
    block.contents -= 1;
    if (block.contents > 0 || block === this.#block || block.bytes.length !== blockSize) return;
    if (this.#free.length < mostFree) this.#free.push(block);
  }

  /** Adds what the current block has no room for. */
  #addBlock(json: string): StoredContent {
    const bytes = encoder.encode(json);
    if (bytes.length > blockSize / 4) return { block: { bytes, contents: 1 }, start: 0, end: bytes.length };
    this.#block = this.#free.pop() ?? newBlock();
    this.#block.bytes.set(bytes);
    this.#used = 0;
    return this.#added(bytes.length);
  }

  #added(length: number): StoredContent {
    const start = this.#used;
    this.#used += length;
    this.#block.contents += 1;
    return { block: this.#block, start, end: this.#used };
  }
}

const newBlock = (): Block => ({ bytes: new Uint8Array(blockSize), contents: 0 });

export const readContent = ({ block, start, end }: StoredContent): MessageContent =>
  JSON.parse(decoder.decode(block.bytes.subarray(start, end)));
