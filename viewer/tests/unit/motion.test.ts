import { describe, expect, it } from "vitest";
import { openArchive } from "../../src/data/archive";
import type { Grid, MotionData } from "../../src/data/format";
import { gaitsOf, groundOf, openMotion, tracksOf, type GaitMotion, type PathMotion, type Track } from "../../src/data/motion";
import { gaitFigures, trackFigures, wayOf } from "../../src/data/motion-figures";
import { bitAt, unpackBits, unpackQuantised } from "../../src/data/packed";
import { packBits, packI32, packU16 } from "../support/pack";
import { makeRobot, unitGrid } from "../support/synthetic";
import { tinyArchive, tinyGrid } from "../support/tiny";

const ground: Grid = { cells: [2, 2], lower: [-8, -8], upper: [8, 8] };

// Solutions 2 and 0 of three, two rollouts of three places each; 0 .. 65534 is -8 .. 8.
function path(change: Partial<MotionData> = {}): MotionData {
  const q = (value: number) => ((value + 8) / 16) * 65534;
  return {
    kind: "path",
    rows: packI32([2, 0]),
    rollouts: 2,
    steps: packI32([10, 4, 10, 0]),
    step_seconds: 0.5,
    longest: 10,
    path: {
      points: 3,
      lower: [-8, -8],
      upper: [8, 8],
      values: packU16([
        ...[0, 0, 3, 4, 3, 8].map(q),
        ...[0, 0, -8, 0, -8, 0].map(q),
        ...[0, 0].map(q), 65535, 65535, 65535, 65535,
        ...[0, 0, 0, 0, 8, -8].map(q),
      ]),
    },
    feet: [],
    touches: null,
    ...change,
  }; // prettier-ignore
}

// Solution 1, two rollouts of at most five steps.
function gait(change: Partial<MotionData> = {}): MotionData {
  return {
    kind: "gait",
    rows: packI32([1]),
    rollouts: 2,
    steps: packI32([5, 4]),
    step_seconds: 0.5,
    longest: 5,
    path: null,
    feet: ["right", "left"],
    touches: packBits([1, 1, 0, 0, 1, 0, 0, 1, 1, 0, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0]),
    ...change,
  };
}

const openPath = (data = path()) => openMotion(data, 3, ground, "motion") as PathMotion;
const openGait = (data = gait()) => openMotion(data, 3, tinyGrid, "motion") as GaitMotion;

describe("bits", () => {
  it("come back as they were packed, the first one lowest", () => {
    const values = Array.from({ length: 21 }, (_, i) => (i * i) % 3);
    const bits = values.map((value) => (value === 1 ? 1 : 0));
    const bytes = unpackBits(packBits(bits), 21, "touches");
    expect(bits.map((_, i) => (bitAt(bytes, i) ? 1 : 0))).toEqual(bits);
    // as the program's own test has them
    expect([...unpackBits("kx0C", 20, "touches")]).toEqual([0b10010011, 0b00011101, 0b0010]);
  });

  it("of the wrong number are refused", () => {
    expect(() => unpackBits(packBits([1, 1, 1]), 9, "touches")).toThrow("touches must hold 9 bits, got 1 bytes");
  });
});

describe("numbers in sixteen bits", () => {
  it("come back within half a step, each in its own range", () => {
    const values = unpackQuantised(packU16([0, 65534, 32767, 65535]), 4, { lower: [-4, 0], upper: [4, 10] }, "x");
    expect([...values]).toEqual([-4, 10, 0, Number.NaN]);
  });
});

describe("a path", () => {
  it("is found by the row of the archive", () => {
    const [first, second] = tracksOf(openPath(), 2, ground, 3) ?? [];
    expect(first?.points.map(({ x, y, seconds }) => [x, y, seconds])).toEqual([
      [0, 0, 0],
      [expect.closeTo(3, 3), expect.closeTo(4, 3), 2.5],
      [expect.closeTo(3, 3), 8, 5],
    ]);
    expect([first?.seconds, second?.seconds]).toEqual([5, 2]);
    expect(tracksOf(openPath(), 1, ground, 3)).toBeUndefined();
  });

  it("is inside where its last place is in the cell", () => {
    const inside = (cell: number) => tracksOf(openPath(), 2, ground, cell)?.map((track) => track.inside);
    expect(inside(3)).toEqual([true, false]); // x and y above 0
    expect(inside(1)).toEqual([false, true]); // x below 0, y not
    expect(inside(0)).toEqual([false, false]);
  });

  it("breaks off at a place that is none, and is then nowhere inside", () => {
    const [broken, whole] = tracksOf(openPath(), 0, ground, 3) ?? [];
    expect(broken).toMatchObject({ failed: true, inside: false });
    expect(broken?.points).toHaveLength(1);
    expect(whole).toMatchObject({ failed: false, seconds: 0 });
  });

  it("is told in figures", () => {
    const tracks = tracksOf(openPath(), 2, ground, 3) ?? [];
    expect(tracks.map(wayOf)).toEqual([expect.closeTo(9, 3), expect.closeTo(8, 3)]);
    expect(Object.fromEntries(trackFigures(tracks).map(({ label, value }) => [label, value]))).toEqual({
      "ends at (mean)": "(−2.5, 4) m",
      "length of the way": "8 to 9 m",
      "episode lasts": "2 to 5 s",
    });
    const broken = trackFigures(tracksOf(openPath(), 0, ground, 3) ?? []);
    expect(broken).toContainEqual({ label: "rollouts that break off", value: "1" });
  });
});

describe("the ground", () => {
  const cell = [{ lower: 4, upper: 6 }, { lower: -1, upper: 1 }]; // prettier-ignore
  const track = (...points: [number, number][]): Track => ({
    seconds: 1,
    points: points.map(([x, y]) => ({ x, y, seconds: 0 })),
    failed: false,
    inside: false,
  });

  it("is a square that holds the cell, the start and every track", () => {
    const { x, y } = groundOf(cell, [track([0, 0], [2, -3]), track([0, 0], [1, 9])]);
    expect(x[1] - x[0]).toBeCloseTo(y[1] - y[0]);
    expect(x[0]).toBeLessThan(0);
    expect(x[1]).toBeGreaterThan(6);
    expect(y[0]).toBeLessThan(-3);
    expect(y[1]).toBeGreaterThan(9);
    expect((y[0] + y[1]) / 2).toBeCloseTo(3);
  });

  it("is there without tracks", () => {
    const { x } = groundOf(cell, []);
    expect(x[0]).toBeCloseTo(-0.3);
    expect(x[1]).toBeCloseTo(6.3);
  });
});

describe("a gait", () => {
  it("has the touches of each foot, up to the end of the episode", () => {
    const [first, second] = gaitsOf(openGait(), 1, tinyGrid, 2) ?? [];
    expect(first?.feet).toEqual([
      { touches: [{ from: 0, to: 1 }, { from: 2, to: 2.5 }], share: 0.6 },
      { touches: [{ from: 1, to: 2 }], share: 0.4 },
    ]); // prettier-ignore
    expect(second?.seconds).toBe(2);
    expect(second?.feet).toEqual([
      { touches: [{ from: 0, to: 2 }], share: 1 },
      { touches: [], share: 0 },
    ]);
    expect([first?.inside, second?.inside]).toEqual([true, true]);
    expect(gaitsOf(openGait(), 0, tinyGrid, 2)).toBeUndefined();
  });

  it("has as many feet as the descriptor has numbers", () => {
    const bits = [1, 1, 0, 0, 1, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 1, 1, 1, 0];
    const names = ["front", "rear left", "rear right"];
    const data = gait({ feet: names, touches: packBits(bits) });
    const grid = unitGrid(2, 2, 2);
    const motion = openMotion(data, 3, grid, "motion") as GaitMotion;
    const [first, second] = gaitsOf(motion, 1, grid, 5) ?? [];
    expect(first?.feet.map(({ share }) => share)).toEqual([0.6, 0, 1]);
    expect(second?.feet.map(({ share }) => share)).toEqual([0, 0.25, 1]);
    expect([first?.inside, second?.inside]).toEqual([true, false]);
    expect(gaitFigures(motion.feet, first ? [first] : [], []).map(({ label }) => label)).toEqual([
      "front (mean)", "rear left (mean)", "rear right (mean)", "episode lasts",
    ]); // prettier-ignore
  });

  it("without a step is nowhere", () => {
    const [first] = gaitsOf(openGait(gait({ steps: packI32([0, 4]) })), 1, tinyGrid, 0) ?? [];
    expect(first?.inside).toBe(false);
    expect(first?.feet[0]?.share).toBeNaN();
  });

  it("is told in figures", () => {
    const gaits = gaitsOf(openGait(), 1, tinyGrid, 2) ?? [];
    const bounds = [{ lower: 0.5, upper: 1 }, { lower: 0, upper: 0.5 }]; // prettier-ignore
    expect(gaitFigures(["right", "left"], gaits, bounds)).toEqual([
      { label: "right (mean)", value: "80 % · cell 50–100 %" },
      { label: "left (mean)", value: "20 % · cell 0–50 %" },
      { label: "episode lasts", value: "2 to 2.5 s" },
    ]);
  });
});

describe("a motion", () => {
  it("may be missing", () => {
    expect(openArchive(tinyArchive(), tinyGrid, "a").motion).toBeNull();
  });

  it("that is damaged is refused by the name of what is wrong", () => {
    const open = (data: MotionData, grid = ground) => () => openMotion(data, 3, grid, "motion");
    expect(open(path(), unitGrid(4))).toThrow("motion must be of a grid of 2 dimensions, got 1");
    expect(open(path({ rollouts: 0 }))).toThrow("motion.rollouts must be at least 1, got 0");
    expect(open(path({ rollouts: 1 }))).toThrow("motion.steps must hold 2 numbers, got 4");
    expect(open(path({ rows: packI32([0, 3]) }))).toThrow("motion.rows[1] must be in 0 .. 2, got 3");
    expect(open(path({ longest: 9 }))).toThrow("motion.steps[0] must be in 0 .. 9, got 10");
    expect(open(path({ step_seconds: 0 }))).toThrow("motion.step_seconds must be above 0, got 0");
    expect(open(path({ path: null }))).toThrow('motion must be a path or a gait, got "path"');
    const short = { points: 3, lower: [0, 0], upper: [1, 1], values: packU16([0]) };
    expect(open(path({ path: short }))).toThrow("motion.path.values must hold 24 numbers, got 1");
    expect(open(path({ path: { ...short, points: 1 } }))).toThrow("motion.path.points must be at least 2, got 1");
    expect(open(path({ path: { ...short, upper: [1] } }))).toThrow("motion.path.lower and upper must have 2 numbers");
    expect(open(gait({ touches: "AAAA" }), tinyGrid)).not.toThrow();
    expect(open(gait({ feet: ["one"] }), tinyGrid)).toThrow("motion.feet must be 2 names, got 1");
    expect(open(gait({ touches: "AA==" }), tinyGrid)).toThrow("motion.touches must hold 20 bits, got 1 bytes");
  });

  it("of the published grid stays around a megabyte or less", () => {
    for (const kind of ["path", "gait"] as const) {
      const [archive] = makeRobot(kind, { cells: [32, 32], aria: false }).archives;
      expect(archive?.size).toBeGreaterThan(800);
      expect(JSON.stringify(archive?.motion).length).toBeLessThan(1_000_000);
    }
  });
});
