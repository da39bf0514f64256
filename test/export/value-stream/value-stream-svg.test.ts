import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { valueStreamSvg } from '../../../shared/value-stream/value-stream-svg.ts';
import { awkwardTexts } from '../exported-runs.ts';
import { xmllintAtHand, xpath } from '../real-readers.ts';
import { mapOf } from './drawn-maps.ts';

const threeTypes = mapOf(
  [
    { stage: 'Saw', work_type: 'valuable', cycle_time_hrs: 0.21 },
    { stage: 'Deburr', work_type: 'incidental', cycle_time_hrs: 0.05, wait_time_hrs: 4 },
    { stage: 'Rework', work_type: 'waste', cycle_time_hrs: 0.1, wait_time_hrs: 30 },
  ],
  'Bracket 4711',
);

/** The texts of a drawing in their order, without titles. */
const textsOf = (svg: string): string[] =>
  [...svg.matchAll(/<(?:text|tspan)\b[^>]*>([^<]+)</g)].map(([, text]) => text!.replaceAll('\u00a0', ' '));

test('[EXPORT-30] a drawing has the figures of the map and its stages in order, with their times', () => {
  expect(textsOf(valueStreamSvg(threeTypes))).toEqual([
    'Bracket 4711',
    'Value stream · Current state · 3 stages',
    'Lead time',
    '1.4 d',
    'Process cycle efficiency (PCE)',
    '0.6%',
    'Cycle time',
    '21 min 36 s',
    'Value-add time',
    '12 min 36 s',
    'To scale: work above the line, waiting below',
    'Valuable',
    '12 min 36 s',
    'Incidental',
    '3 min',
    'Waste',
    '6 min',
    'Waiting',
    '1.4 d',
    'Stages in order: the cycle time in the box, the waiting before it in the valley',
    '1',
    'Saw',
    '12 min 36 s',
    '2',
    'Deburr',
    '3 min',
    '4 h',
    '3',
    'Rework',
    '6 min',
    '1.3 d',
  ]);
});

test('[EXPORT-30] the times are to scale, and each wait is below the line before its work', () => {
  const svg = valueStreamSvg(mapOf([{ cycle_time_hrs: 1 }, { cycle_time_hrs: 2, wait_time_hrs: 1 }]));
  const rects = [...svg.matchAll(/<rect x="([\d.]+)" width="([\d.]+)" y="(\d+)" height="\d+" fill="[^"]*" stroke/g)];
  expect(rects.map(([, x, width, y]) => [x, width, y].map(Number))).toEqual([
    [0, 190, 0],
    [190, 190, 36],
    [380, 380, 0],
  ]);
});

test('[EXPORT-30] a map without stages or without times is drawn, too', () => {
  expect(textsOf(valueStreamSvg(mapOf([])))).toContain('Value stream · Current state · 0 stages');
  const untimed = textsOf(valueStreamSvg(mapOf([{ cycle_time_hrs: 0 }])));
  expect(untimed).toEqual(expect.arrayContaining(['–', 'Stage 1', '0 s']));
  expect(untimed).not.toContain('To scale: work above the line, waiting below');
});

test('[EXPORT-32] a work type has a colour, a pattern and a shape', () => {
  const svg = valueStreamSvg(threeTypes);
  const patterns = [...svg.matchAll(/<pattern id="gemba-[-\w]+".*?<\/pattern>/g)].map(([all]) => all);
  expect(new Set(patterns.map((pattern) => /fill="(#\w+)"/.exec(pattern)![1])).size).toBe(3);
  expect(new Set(patterns.map((pattern) => /<path d="([^"]+)"/.exec(pattern)?.[1])).size).toBe(3);
  // Each shape stands in the legend and in the box of its stage.
  const marks = [...svg.matchAll(/<path d="([^"]+)" fill="#\w+" transform/g)].map(([, shape]) => shape);
  expect(marks).toHaveLength(6);
  expect(new Set(marks).size).toBe(3);
});

test('[EXPORT-31] drawings of two maps in one page have no id in common, and each refers to its own', () => {
  const idsIn = (svg: string) => [...svg.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
  const { stages } = threeTypes;
  const id = '018f9e4a-2b6c-7d31-8a55-3c1f0e9d7b43';
  const drawings = [threeTypes, { ...threeTypes, id, stages: stages.map((stage) => ({ ...stage, map_id: id })) }];
  const svgs = drawings.map((map) => valueStreamSvg(map));
  const ids = svgs.flatMap(idsIn);
  expect(new Set(ids).size).toBe(10);
  for (const svg of svgs) {
    const urls = [...svg.matchAll(/url\(#([^)]+)\)/g)].map(([, url]) => url);
    expect(new Set(urls)).toEqual(new Set(idsIn(svg)));
  }
});

test('[EXPORT-32] the legend lists only what the map has', () => {
  expect(textsOf(valueStreamSvg(mapOf([{}])))).not.toContain('Waiting');
  expect(textsOf(valueStreamSvg(mapOf([{}])))).not.toContain('Waste');
});

test('[EXPORT-33] a name is cut to its box, and whole in a title', () => {
  const long = 'Mill and drill both sides, with coolant, then blow the chips off and look at each edge';
  const svg = valueStreamSvg(mapOf([{ stage: long }], `${long}. `.repeat(3)));
  const drawn = textsOf(svg).filter((text) => text.startsWith('Mill') || text.endsWith('…'));
  expect(drawn.at(-1)).toMatch(/^.{3,14}…$/);
  expect(svg).toContain(`<title>1. ${long}\n`.replace('\n', '&#10;'));
});

test('[EXPORT-33] a character of several units is never cut through', () => {
  const family = '👩‍👩‍👧‍👦';
  for (const text of [family.repeat(12), '🇩🇪'.repeat(50), 'e\u0301'.repeat(99), '漢'.repeat(200)]) {
    const lines = textsOf(valueStreamSvg(mapOf([{ stage: text }]))).filter((line) =>
      text.startsWith(line.replace('…', '')),
    );
    const unit = text.startsWith(family)
      ? family
      : text.slice(0, text.length / [...text.matchAll(/🇩🇪|e\u0301|漢/gu)].length);
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.join('').replace('…', '').replaceAll(unit, '')).toBe('');
  }
});

describe.skipIf(!xmllintAtHand())('xmllint', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gemba-drawing-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const fileOf = (svg: string): string => {
    const file = join(folder, 'drawing.svg');
    writeFileSync(file, svg);
    return file;
  };
  const awkward = [...awkwardTexts, '<script>alert(1)</script>', 'קבלת הזמנה', '"><g onload="x()">', '𝒳'.repeat(200)];

  test('[EXPORT-31] a drawing of any names is well-formed, and has neither scripts nor references', () => {
    const file = fileOf(
      valueStreamSvg(
        mapOf(
          awkward.map((stage) => ({ stage, wait_time_hrs: 1 })),
          awkward.join(''),
        ),
      ),
    );
    const count = (expression: string) => xpath(file, `count(${expression})`);
    expect(
      count(
        '//*[local-name()="script" or local-name()="style" or local-name()="image" or local-name()="use" or local-name()="foreignObject" or local-name()="a"]',
      ),
    ).toBe('0');
    expect(count('//@*[starts-with(local-name(), "on") or local-name()="href" or local-name()="style"]')).toBe('0');
    expect(count('//@*[contains(., "url(") and not(starts-with(., "url(#gemba-"))]')).toBe('0');
    expect(count('//@*[contains(., "//") and local-name()!="xmlns"]')).toBe('0');
    expect(count('//*[local-name()="clipPath"]')).toBe('2');
  });

  test('[EXPORT-33] an XML parser gives back each name from its title', () => {
    const file = fileOf(valueStreamSvg(mapOf(awkward.map((stage) => ({ stage, cycle_time_hrs: 0 })))));
    for (const [index, name] of awkward.entries()) {
      const title = xpath(file, `string((//*[local-name()="g"]/*[local-name()="title"])[${index + 1}])`);
      const kept = Buffer.from(name)
        .toString()
        .replace(/\ufffd/g, '')
        .replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '');
      expect(title).toBe(`${index + 1}. ${kept}\nValuable: 0\u00a0s`);
    }
  });

  test.each([1, 7, 60, 1_000])('[EXPORT-30] each of %i stages has a box inside of the drawing', (count) => {
    const file = fileOf(valueStreamSvg(mapOf(Array.from({ length: count }, () => ({ wait_time_hrs: 1 })))));
    expect(xpath(file, 'count(//*[local-name()="rect" and @width="116" and @height="100"])')).toBe(String(count));
    const lastRowTop = 16 + (Math.ceil(count / 7) - 1) * 170;
    expect(xpath(file, `count(//*[@transform="translate(0 ${lastRowTop})"])`)).toBe('1');
    expect(Number(xpath(file, 'string(/*/@height)'))).toBeGreaterThan(300 + lastRowTop + 130);
    expect(Number(xpath(file, 'string(/*/@width)'))).toBeLessThan(1_400);
  });
});
