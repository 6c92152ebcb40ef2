import { describe, expect, it } from "vitest";
import {
  formatCount, formatDifference, formatNumber, formatP, formatPercent, formatPoint, formatSeconds, quantity, roundTicks,
} from "../../src/data/numbers"; // prettier-ignore

describe("numbers on the page", () => {
  it("keep the significant digits, with a proper minus", () => {
    expect(formatNumber(0)).toBe("0");
    expect(formatNumber(-0.123456)).toBe("−0.1235");
    expect(formatNumber(653.37, 5)).toBe("653.37");
    expect(formatNumber(12345.678)).toBe("12\u202f346");
    expect(formatNumber(0.5)).toBe("0.5");
  });

  it("are whole where they are whole", () => {
    expect(formatNumber(1024)).toBe("1024");
    expect(formatNumber(1234567)).toBe("1\u202f234\u202f567");
    expect(formatCount(422912000)).toBe("422\u202f912\u202f000");
    expect(formatCount(-5)).toBe("−5");
  });

  it("have an exponent where they are large or tiny", () => {
    expect(formatNumber(4.28e8)).toBe("4.28×10⁸");
    expect(formatNumber(-0.0000123)).toBe("−1.23×10⁻⁵");
    expect(formatNumber(1e10)).toBe("1×10¹⁰");
  });

  it("that are missing are a dash", () => {
    for (const value of [null, undefined, Number.NaN, Infinity]) expect(formatNumber(value)).toBe("–");
    expect(formatPercent(null)).toBe("–");
    expect(formatDifference(Number.NaN)).toBe("–");
    expect(formatP(Number.NaN)).toBe("–");
  });

  it("have signs, units and words", () => {
    expect(formatDifference(4.413)).toBe("+4.413");
    expect(formatDifference(-2)).toBe("−2");
    expect(formatDifference(0)).toBe("0");
    expect(formatPercent(0.8359)).toBe("83.6 %");
    expect(formatSeconds(4.271)).toBe("4.27 s");
    expect(formatSeconds(600)).toBe("10 min");
    expect(formatSeconds(36000)).toBe("10 h");
    expect(formatP(0.00004)).toBe("< 0.0001");
    expect(formatP(0.0123)).toBe("0.012");
    expect(formatPoint([0.5, -1])).toBe("(0.5, −1)");
    expect(formatPoint([0.5])).toBe("0.5");
    expect(quantity(1, "cell")).toBe("1 cell");
    expect(quantity(0, "cell")).toBe("0 cells");
  });
});

describe("ticks", () => {
  it("are round and inside the range", () => {
    expect(roundTicks(0, 1, 5)).toEqual([0, 0.2, 0.4, 0.6, 0.8, 1]);
    expect(roundTicks(-15, 15, 6)).toEqual([-15, -10, -5, 0, 5, 10, 15]);
    expect(roundTicks(0.343, 0.391, 4)).toEqual([0.35, 0.36, 0.37, 0.38, 0.39]);
  });

  it("of an empty range are none", () => {
    expect(roundTicks(1, 1, 5)).toEqual([]);
    expect(roundTicks(0, Infinity, 5)).toEqual([]);
  });
});
