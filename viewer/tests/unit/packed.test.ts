import { describe, expect, it } from "vitest";
import { countOf, unpackF32, unpackI32, unpackU16 } from "../../src/data/packed";
import { packF32, packI32, packU16 } from "../support/pack";

describe("packed arrays", () => {
  it("give back what the program packed", () => {
    expect([...unpackF32(packF32([0.5, -2, 1e-20]), 3, "x")]).toEqual([0.5, -2, Math.fround(1e-20)]);
    expect([...unpackI32(packI32([-1, 0, 1023]), 3, -1, 1024, "x")]).toEqual([-1, 0, 1023]);
    expect([...unpackU16(packU16([0, 1, 65535]), 3, "x")]).toEqual([0, 1, 65535]);
  });

  it("are little-endian, whatever the machine", () => {
    expect([...unpackU16("AAE=", 1, "x")]).toEqual([256]);
    expect([...unpackF32("AACAPw==", 1, "x")]).toEqual([1]);
    expect([...unpackI32("/////w==", 1, -1, 1, "x")]).toEqual([-1]);
  });

  it("keep numbers that are not finite", () => {
    const values = unpackF32(packF32([Number.NaN, Infinity]), 2, "x");
    expect(values[0]).toBeNaN();
    expect(values[1]).toBe(Infinity);
  });

  it("of the wrong length are refused, with name, rule and what was found", () => {
    expect(() => unpackF32(packF32([1, 2]), 3, "fitness")).toThrow("fitness must hold 3 numbers, got 2");
    expect(() => unpackU16("AAEC", 1, "values")).toThrow("values must hold 1 numbers, got 1.5");
  });

  it("that are not base64 are refused", () => {
    expect(() => unpackF32("%%%", 1, "fitness")).toThrow('fitness must be base64, got "%%%"');
  });

  it("with a cell outside the grid are refused", () => {
    expect(() => unpackI32(packI32([4]), 1, -1, 4, "cell")).toThrow("cell[0] must be in -1 .. 3, got 4");
    expect(() => unpackI32(packI32([0, -2]), 2, -1, 4, "cell")).toThrow("cell[1] must be in -1 .. 3, got -2");
  });

  it("of unknown length are counted, up to a limit", () => {
    expect(countOf(packI32([1, 2, 3]), 4, 3, "kept")).toBe(3);
    expect(() => countOf(packI32([1, 2, 3]), 4, 2, "kept")).toThrow("kept must hold at most 2 numbers, got 3");
    expect(() => countOf("AAEC", 4, 2, "kept")).toThrow("got 0.75");
  });
});
