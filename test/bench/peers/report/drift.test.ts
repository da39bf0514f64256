import { expect, test } from 'vitest';
import { benchmarkProblems } from './drift.ts';
import type { Benchmarks } from './figures.ts';
import { readmeMarks, renderReadme, renderReport } from './render.ts';

const benchmarks: Benchmarks = {
  versions: { rxdb: '17.6.0' },
  parts: {
    drain: {
      origin: { date: '2026-11-23', revision: '0123456', node: 'v20.19.0', cpus: 2 },
      works: [
        {
          id: 'drain',
          title: 'Drain',
          about: 'A device sends all.',
          unit: 'ms',
          better: 'lower',
          rounds: 3,
          figures: [
            { name: 'Gemba', role: 'gemba', durability: 'disk', median: 90, min: 80, max: 100 },
            {
              name: 'Peer <1>',
              role: 'peer',
              durability: 'memory',
              median: 180,
              min: 170,
              max: 190,
              toGemba: { median: 2, min: 1.9, max: 2.1 },
            },
          ],
        },
      ],
    },
  },
};

async function reportOf(figures: Benchmarks): Promise<Map<string, string>> {
  const readme = `# Title\n\n${readmeMarks.join('\n\n')}\n\nMore.\n`;
  return (await renderReport(figures)).set('README.md', await renderReadme(readme, figures));
}

/** The report of other figures, which the README and the report then lag behind. */
function slower(): Benchmarks {
  const copy = structuredClone(benchmarks);
  for (const { figures } of copy.parts['drain']?.works ?? []) for (const figure of figures) figure.median += 1;
  return copy;
}

test('[HOUSE-33] a report that is made from the figures has no problem', async () => {
  const files = await reportOf(benchmarks);
  expect([...files.keys()]).toEqual(['docs/pictures/benchmark-drain.svg', 'docs/benchmarks.md', 'README.md']);
  expect(files.get('README.md')).toContain('| Drain | 90.0 ms | 180 ms (Peer <1>) |');
  expect(await benchmarkProblems(benchmarks, files)).toEqual([]);
});

test('[HOUSE-33] each file that states other figures is listed', async () => {
  const problems = await benchmarkProblems(slower(), await reportOf(benchmarks));
  expect(problems.map((problem) => problem.split(':')[0])).toEqual([
    'docs/pictures/benchmark-drain.svg',
    'docs/benchmarks.md',
    'README.md',
  ]);
});

test('[HOUSE-33] a figure that was changed by hand in the README is listed', async () => {
  const files = await reportOf(benchmarks);
  files.set('README.md', files.get('README.md')!.replace('90.0 ms', '9.0 ms'));
  expect(await benchmarkProblems(benchmarks, files)).toEqual([expect.stringContaining('README.md')]);
});
