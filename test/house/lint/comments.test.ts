import { expect, test } from 'vitest';
import { commentProblems } from './comments.ts';

const source = (comment: string) => `export const first = 1;\n\n${comment}\nconst second = 2;\n`;

test.each([
  ['/** Of a map, its record. */'],
  ['/** What the device sent. */'],
  ['/** By the server clock. */'],
  ['/** Whoever asks gets an answer. */'],
  ['/** The same, once more. */'],
  ['// Those that are left.'],
  ['/**\n * Names one fact,\n * and goes on about it,\n * for three lines.\n */'],
  ['// Names one fact,\n// and goes on about it,\n// for three lines.'],
])('[HOUSE-20] the form of a comment fails for %j', (comment) => {
  expect(commentProblems('client/any.ts', source(comment))).toHaveLength(1);
});

test.each([
  ['/** Loads the map before recording it. */'],
  ['/** The same device keeps its number. */'],
  ['// Chromium closes the database\n// when its folder is full.'],
  ["const text = '/** Of a text, nothing. */';"],
])('[HOUSE-20] the form of a comment passes for %j', (comment) => {
  expect(commentProblems('client/any.ts', source(comment))).toEqual([]);
});
