/** Records are small: one that stays for long keeps few others in memory. In bytes. */
const blockSize = 16 * 1024;

/** The most blocks that wait for further records. */
const mostSpare = 256;

interface Block {
  bytes: Uint8Array<ArrayBuffer>;
  /** How many records are in it. */
  records: number;
}

/** Where a record is: the number of its block and the start in it. A number, because an object for each record takes more memory than a small record. */
export type RecordLocation = number;

const lineEnd = 10;
const encoder = new TextEncoder();
const decoder = new TextDecoder();
const nothing = new Uint8Array();

/**
 * Records as lines of text, mostly JSON, in blocks of bytes: most are read once or never, and as objects they take several times the memory and the time of
 * the garbage collector. A block is used again once all of its records are removed. A large record has a block of its own.
 */
export class PackedRecords {
  readonly #blocks: Block[] = [];
  /** The numbers of those without records. */
  readonly #free: number[] = [];
  readonly #spare: Uint8Array<ArrayBuffer>[] = [];
  /** The length of the record that was added last, in bytes. */
  addedBytes = 0;
  #bytes = 0;
  #current = this.#open(new Uint8Array(blockSize));
  #used = 0;

  /** Of all blocks that have records or wait for the next one. */
  get bytes(): number {
    return this.#bytes;
  }

  /** @param more a second value, which `readMore` reads without the first */
  add(record: unknown, more?: unknown): RecordLocation {
    const line = JSON.stringify(record);
    return this.addLine(more === undefined ? line : `${line}\n${JSON.stringify(more)}`);
  }

  /** @param line with a line break only before a second value: JSON never has one */
  addLine(line: string): RecordLocation {
    const block = this.#blocks[this.#current] as Block;
    const { read, written } = encoder.encodeInto(line, block.bytes.subarray(this.#used, -1));
    return read < line.length ? this.#addBlock(line) : this.#added(block, written);
  }

  read<Value>(location: RecordLocation): Value {
    return JSON.parse(this.readLine(location));
  }

  readMore<Value>(location: RecordLocation): Value {
    const { bytes } = this.#blocks[Math.floor(location / blockSize)] as Block;
    return JSON.parse(lineAt(bytes, bytes.indexOf(lineEnd, location % blockSize) + 1));
  }

  readLine(location: RecordLocation): string {
    const { bytes } = this.#blocks[Math.floor(location / blockSize)] as Block;
    return lineAt(bytes, location % blockSize);
  }

  remove(location: RecordLocation): void {
    const number = Math.floor(location / blockSize);
    const block = this.#blocks[number] as Block;
    block.records -= 1;
    if (block.records > 0) return;
    if (number === this.#current) {
      this.#used = 0;
      return;
    }
    this.#bytes -= block.bytes.length;
    if (block.bytes.length === blockSize && this.#spare.length < mostSpare) this.#spare.push(block.bytes);
    block.bytes = nothing;
    this.#free.push(number);
  }

  /** Adds what the current block has no room for. */
  #addBlock(line: string): RecordLocation {
    const bytes = encoder.encode(line);
    if (bytes.length > blockSize / 4) {
      const number = this.#open(bytes);
      (this.#blocks[number] as Block).records = 1;
      this.addedBytes = bytes.length;
      return number * blockSize;
    }
    this.#current = this.#open(this.#spare.pop() ?? new Uint8Array(blockSize));
    const block = this.#blocks[this.#current] as Block;
    block.bytes.set(bytes);
    this.#used = 0;
    return this.#added(block, bytes.length);
  }

  #added(block: Block, length: number): RecordLocation {
    const start = this.#used;
    this.addedBytes = length;
    this.#used += length + 1;
    block.bytes[this.#used - 1] = lineEnd;
    block.records += 1;
    return this.#current * blockSize + start;
  }

  #open(bytes: Uint8Array<ArrayBuffer>): number {
    const number = this.#free.pop() ?? this.#blocks.length;
    this.#blocks[number] = { bytes, records: 0 };
    this.#bytes += bytes.length;
    return number;
  }
}

function lineAt(bytes: Uint8Array, start: number): string {
  const end = bytes.indexOf(lineEnd, start);
  return decoder.decode(bytes.subarray(start, end < 0 ? bytes.length : end));
}
