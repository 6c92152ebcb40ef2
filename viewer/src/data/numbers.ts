// How numbers are written: few digits for reading, all of them for files.

const missing = "–";

// `digits` significant ones, without trailing zeros; large whole numbers keep all their digits.
export function formatNumber(value: number | null | undefined, digits = 4): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return missing;
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (Number.isInteger(value) && size < 1e7) return withMinus(groups(String(value)));
  if (size >= 1e7 || size < 1e-4) return scientific(value, digits);
  return withMinus(groups(String(Number(value.toPrecision(Math.max(digits, Math.ceil(Math.log10(size))))))));
}

// All digits of a whole number.
export function formatCount(value: number): string {
  return Number.isInteger(value) ? withMinus(groups(String(value))) : formatNumber(value);
}

export function formatPercent(share: number | null | undefined, digits = 3): string {
  if (share === null || share === undefined || !Number.isFinite(share)) return missing;
  return `${formatNumber(100 * share, digits)} %`;
}

export function formatDifference(value: number | null | undefined, digits = 4): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return missing;
  return value > 0 ? `+${formatNumber(value, digits)}` : formatNumber(value, digits);
}

export function formatSeconds(seconds: number): string {
  if (seconds < 120) return `${formatNumber(seconds, 3)} s`;
  if (seconds < 7200) return `${formatNumber(seconds / 60, 3)} min`;
  return `${formatNumber(seconds / 3600, 3)} h`;
}

// p-values: below 0.0001 only that they are.
export function formatP(p: number): string {
  if (!Number.isFinite(p)) return missing;
  return p < 1e-4 ? "< 0.0001" : formatNumber(p, 2);
}

export function formatPoint(values: ArrayLike<number>, digits = 4): string {
  const texts = Array.from(values, (value) => formatNumber(value, digits));
  return texts.length === 1 ? texts.join("") : `(${texts.join(", ")})`;
}

export function quantity(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

// Round numbers inside [lower, upper], about `count` of them.
export function roundTicks(lower: number, upper: number, count: number): number[] {
  const span = upper - lower;
  if (!(span > 0) || !Number.isFinite(span)) return [];
  const rough = span / Math.max(1, count);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5, 10].find((factor) => factor * power >= rough * 0.75) ?? 10);
  const ticks: number[] = [];
  for (let i = Math.ceil(lower / step - 1e-9); i * step <= upper + 1e-9 * span; ++i) {
    ticks.push(Number((i * step).toPrecision(12)));
  }
  return ticks;
}

function groups(digits: string): string {
  const [whole = "", fraction] = digits.split(".");
  // thin spaces, from five digits on, as scientific texts have them
  const spaced = whole.replace("-", "").length < 5 ? whole : whole.replace(/\B(?=(\d{3})+$)/g, "\u202f");
  return fraction === undefined ? spaced : `${spaced}.${fraction}`;
}

// 4.28×10⁸
function scientific(value: number, digits: number): string {
  const [mantissa = "", exponent = ""] = Number(value.toPrecision(digits)).toExponential().split("e");
  const raised = Array.from(exponent.replace("+", ""), (sign) => (sign === "-" ? "⁻" : "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(sign)]));
  return `${withMinus(mantissa)}×10${raised.join("")}`;
}

function withMinus(text: string): string {
  return text.replace(/-/g, "\u2212");
}

// 4.2e8 as 420 M
export function formatShort(value: number): string {
  for (const [size, letter] of [[1e9, "G"], [1e6, "M"], [1e3, "k"]] as const) { // prettier-ignore
    if (Math.abs(value) >= size) return `${formatNumber(value / size, 3)} ${letter}`;
  }
  return formatNumber(value, 3);
}
