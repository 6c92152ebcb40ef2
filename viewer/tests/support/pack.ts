// Arrays as the program packs them, and read back by Node's own means, not by the page's code.

export function packF32(values: ArrayLike<number>): string {
  return pack(values.length, 4, (view, i) => {
    view.setFloat32(4 * i, values[i] ?? Number.NaN, true);
  });
}

export function packI32(values: ArrayLike<number>): string {
  return pack(values.length, 4, (view, i) => {
    view.setInt32(4 * i, values[i] ?? 0, true);
  });
}

export function packU16(values: ArrayLike<number>): string {
  return pack(values.length, 2, (view, i) => {
    view.setUint16(2 * i, values[i] ?? 0, true);
  });
}

// Eight values of 0 or 1 in a byte, the first one lowest.
export function packBits(values: ArrayLike<number>): string {
  const bytes = new Uint8Array(Math.ceil(values.length / 8));
  for (let i = 0; i < values.length; ++i) bytes[i >> 3] = (bytes[i >> 3] ?? 0) | ((values[i] ?? 0) << (i & 7));
  return Buffer.from(bytes).toString("base64");
}

export function readF32(text: string): number[] {
  const bytes = Buffer.from(text, "base64");
  return Array.from({ length: bytes.length / 4 }, (_, i) => bytes.readFloatLE(4 * i));
}

export function readI32(text: string): number[] {
  const bytes = Buffer.from(text, "base64");
  return Array.from({ length: bytes.length / 4 }, (_, i) => bytes.readInt32LE(4 * i));
}

export function readU16(text: string): number[] {
  const bytes = Buffer.from(text, "base64");
  return Array.from({ length: bytes.length / 2 }, (_, i) => bytes.readUInt16LE(2 * i));
}

function pack(count: number, size: number, set: (view: DataView, i: number) => void): string {
  const bytes = new ArrayBuffer(count * size);
  const view = new DataView(bytes);
  for (let i = 0; i < count; ++i) set(view, i);
  return Buffer.from(bytes).toString("base64");
}
