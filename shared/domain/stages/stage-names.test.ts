import { expect, test } from 'vitest';
import { aliasesAfterRename, presentNames, withAliasesFrom } from './stage-names.ts';
import { newStage } from './stages.ts';

const stage = (name: string, ...aliases: string[]) => ({
  ...newStage({ id: 1, mapId: 'map' }, { stage: name }),
  ...(aliases.length > 0 ? { aliases } : {}),
});

test('[STAGE-12] an earlier name means the stage, unless another stage has the name now', () => {
  const present = presentNames([stage('Load', 'Step 1', 'Walk'), stage('Walk'), stage('Press', 'Step 1')]);
  expect(present(' step 1')).toEqual({ key: 'load', name: 'Load' });
  expect(present('Walk')).toEqual({ key: 'walk', name: 'Walk' });
  expect(present('Step 2')).toEqual({ key: 'step 2', name: 'Step 2' });
});

test('[STAGE-11] a renamed stage keeps up to 10 earlier names, the latest first, each once', () => {
  expect(aliasesAfterRename({ stage: 'Step 1' }, 'Load')).toEqual({ aliases: ['Step 1'] });
  expect(aliasesAfterRename({ stage: 'Load', aliases: ['Step 1'] }, 'Loading')).toEqual({
    aliases: ['Load', 'Step 1'],
  });
  expect(aliasesAfterRename({ stage: 'Load', aliases: ['Step 1'] }, 'STEP 1')).toEqual({ aliases: ['Load'] });
  expect(aliasesAfterRename({ stage: 'Load' }, 'load ')).toEqual({});
  const many = Array.from({ length: 12 }, (_, index) => `Name ${index}`);
  expect(aliasesAfterRename({ stage: 'Load', aliases: many }, 'Press')).toEqual({
    aliases: ['Load', ...many.slice(0, 9)],
  });
});

test('[RECORDING-21] replaced stages pass their earlier names on to the stages of the same name', () => {
  const replaced = [stage('Load', 'Step 1'), stage('Press')];
  expect(withAliasesFrom(replaced, [stage('load'), stage('Step 1'), stage('Weld')])).toEqual([
    stage('load', 'Step 1'),
    stage('Step 1', 'Load'),
    stage('Weld'),
  ]);
  // The first of two stages with one name passes its names on.
  const twins = [stage('Walk', 'Go'), stage('Walk', 'Run')];
  expect(withAliasesFrom(twins, [stage('walk')])).toEqual([stage('walk', 'Go')]);
});

test('[STAGE-11] a stage that keeps its name keeps its earlier names', () => {
  expect(aliasesAfterRename({ stage: 'Load', aliases: ['Step 1'] }, 'Load')).toEqual({ aliases: ['Step 1'] });
  expect(aliasesAfterRename({ stage: 'Load', aliases: [] }, 'Load')).toEqual({});
});
