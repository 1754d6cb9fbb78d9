/** Records are small: one that stays for long keeps few others in memory. In bytes. */
const blockSize = 16 * 1024;

/** The most blocks that wait for further records. */
const mostFree = 256;

interface Block {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** How many records are in it. */
  records: number;
}

/** A record in a block. */
export interface Packed {
  readonly block: Block;
  readonly start: number;
  readonly end: number;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/**
 * Records as JSON in blocks of bytes: most are read once or never, and as objects they take several times the memory and the time of the
 * garbage collector. A block is used again once all of its records are removed.
 */
export class PackedRecords {
  #block = newBlock();
  #used = 0;
  readonly #free: Block[] = [];

  add(record: object): Packed {
    const json = JSON.stringify(record);
    const start = this.#used;
    const { read, written } = encoder.encodeInto(json, this.#block.bytes.subarray(start));
    return read < json.length ? this.#addBlock(json) : this.#added(written);
  }

  remove({ block }: Packed): void {
    block.records -= 1;
    if (block.records > 0 || block === this.#block || block.bytes.length !== blockSize) return;
    if (this.#free.length < mostFree) this.#free.push(block);
  }

  /** Adds what the current block has no room for. */
  #addBlock(json: string): Packed {
    const bytes = encoder.encode(json);
    if (bytes.length > blockSize / 4) return { block: { bytes, records: 1 }, start: 0, end: bytes.length };
    this.#block = this.#free.pop() ?? newBlock();
    this.#block.bytes.set(bytes);
    this.#used = 0;
    return this.#added(bytes.length);
  }

  #added(length: number): Packed {
    const start = this.#used;
    this.#used += length;
    this.#block.records += 1;
    return { block: this.#block, start, end: this.#used };
  }
}

const newBlock = (): Block => ({ bytes: new Uint8Array(blockSize), records: 0 });

export const sizeOf = ({ start, end }: Packed): number => end - start;

export const unpacked = <Value>({ block, start, end }: Packed): Value =>
  JSON.parse(decoder.decode(block.bytes.subarray(start, end)));
