/** The part of `npm run check` that holds the documents, the tests and the sources together: prints each problem. */
import { resolve } from 'node:path';
import { allBenchmarkProblems } from '../bench/peers/report/drift.ts';
import { allFaultProblems } from '../mutation/drift.ts';
import { allDecisionProblems } from './documents/decisions.ts';
import { deadLinks } from './documents/links.ts';
import { allSettingProblems } from './documents/settings.ts';
import { allCommentProblems } from './lint/comments.ts';
import { allFolderProblems } from './lint/folders.ts';
import { glossaryProblems } from './lint/glossary.ts';
import { readSources, specProblems } from './spec/spec.ts';

const root = resolve(import.meta.dirname, '../..');
const checks: Record<string, () => Promise<string[]>> = {
  benchmarks: () => allBenchmarkProblems(root),
  comments: () => allCommentProblems(root),
  decisions: () => allDecisionProblems(root),
  faults: async () => allFaultProblems(root),
  folders: () => allFolderProblems(root),
  glossary: () => glossaryProblems(root),
  links: async () => deadLinks(root),
  settings: () => allSettingProblems(root),
  spec: async () => specProblems(await readSources(root)),
};

for (const [name, problemsOf] of Object.entries(checks)) {
  for (const problem of await problemsOf()) {
    console.error(`${name}: ${problem}`);
    process.exitCode = 1;
  }
}
