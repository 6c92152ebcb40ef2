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
