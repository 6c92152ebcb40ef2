// Arrays as the program packs them.

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

function pack(count: number, size: number, set: (view: DataView, i: number) => void): string {
  const bytes = new ArrayBuffer(count * size);
  const view = new DataView(bytes);
  for (let i = 0; i < count; ++i) set(view, i);
  return Buffer.from(bytes).toString("base64");
}
