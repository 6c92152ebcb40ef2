// Packed arrays: base64 of little-endian numbers, checked for length before anything believes them.

export class DataError extends Error {
  override name = "DataError";
}

export function unpackF32(text: string, count: number, name: string): Float32Array {
  const view = bytesOf(text, count, 4, name);
  return Float32Array.from({ length: count }, (_, i) => view.getFloat32(4 * i, true));
}

export function unpackU16(text: string, count: number, name: string): Uint16Array {
  const view = bytesOf(text, count, 2, name);
  return Uint16Array.from({ length: count }, (_, i) => view.getUint16(2 * i, true));
}

// The bytes that hold `count` bits.
export function unpackBits(text: string, count: number, name: string): Uint8Array {
  const bytes = decode(text, name);
  if (bytes.length !== Math.ceil(count / 8)) {
    throw new DataError(`${name} must hold ${count} bits, got ${bytes.length} bytes`);
  }
  return bytes;
}

export function bitAt(bytes: Uint8Array, i: number): boolean {
  return (((bytes[i >> 3] ?? 0) >> (i & 7)) & 1) === 1;
}

// Sixteen bits per number, of which each `lower.length` belong together: 0 is the lower end, 65534 the upper one, 65535
// stands for what is missing.
export function unpackQuantised(
  text: string,
  count: number,
  { lower, upper }: { lower: readonly number[]; upper: readonly number[] },
  name: string,
): Float32Array {
  const m = lower.length;
  return Float32Array.from(unpackU16(text, count, name), (q, i) => {
    const from = lower[i % m] ?? Number.NaN;
    return q === 65535 ? Number.NaN : from + (q / 65534) * ((upper[i % m] ?? Number.NaN) - from);
  });
}

// Whole numbers in [least, limit).
export function unpackI32(text: string, count: number, least: number, limit: number, name: string): Int32Array {
  const view = bytesOf(text, count, 4, name);
  return Int32Array.from({ length: count }, (_, i) => {
    const value = view.getInt32(4 * i, true);
    if (value < least || value >= limit) {
      throw new DataError(`${name}[${i}] must be in ${least} .. ${limit - 1}, got ${value}`);
    }
    return value;
  });
}

// As many as there are; at most `most`.
export function countOf(text: string, size: number, most: number, name: string): number {
  const count = decode(text, name).length / size;
  if (!Number.isInteger(count) || count > most) {
    throw new DataError(`${name} must hold at most ${most} numbers, got ${count}`);
  }
  return count;
}

function bytesOf(text: string, count: number, size: number, name: string): DataView {
  const bytes = decode(text, name);
  if (bytes.length !== count * size) {
    throw new DataError(`${name} must hold ${count} numbers, got ${bytes.length / size}`);
  }
  return new DataView(bytes.buffer);
}

function decode(text: string, name: string): Uint8Array<ArrayBuffer> {
  let binary: string;
  try {
    binary = atob(text);
  } catch {
    throw new DataError(`${name} must be base64, got ${JSON.stringify(text.slice(0, 20))}`);
  }
  return Uint8Array.from({ length: binary.length }, (_, i) => binary.charCodeAt(i));
}
