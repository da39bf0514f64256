/** From the start of the installed package's program until the server is ready, beside a Node that does nothing. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { makeArtefactsIn } from '../../made-once.ts';
import { installPackage, program } from '../../package/installed-package.ts';
import { measureSecs, ratioOf, spreadOf, takeTurns } from '../measure.ts';
import type { Setting } from '../setting.ts';
import { spreadText, type FigureTable } from '../table.ts';
import { fillWithRuns, measureStart } from './start.ts';

export async function measurePackageStart({ smoke, dataDir }: Setting): Promise<FigureTable> {
  const folder = dataDir('package-start');
  await fillWithRuns(folder, smoke ? 100 : 5_000);
  makeArtefactsIn(dataDir('package'));
  const { project } = await installPackage();
  const processor = { npx: [] as number[], gemba: [] as number[], nothing: [] as number[] };
  const start = (name: 'npx' | 'gemba', command: string[]) => async () => {
    const { secs, processorSecs } = await measureStart(command, { dataDir: folder, cwd: project });
    processor[name].push(processorSecs);
    return secs;
  };
  const doNothing = async () => {
    const { stdout } = await promisify(execFile)(process.execPath, ['-p', ownProcessorSecs]);
    processor.nothing.push(Number(stdout));
  };
  const figures = await takeTurns(
    {
      npx: start('npx', ['npx', 'gemba']),
      gemba: start('gemba', [process.execPath, program(project)]),
      nothing: () => measureSecs(doNothing),
    },
    { rounds: smoke ? 1 : 15 },
  );
  const rowOf = (command: string, name: keyof typeof processor) => [
    command,
    spreadText(spreadOf(figures[name]), ' s'),
    spreadText(ratioOf(figures[name], figures.nothing)),
    // The first round warms up.
    spreadText(spreadOf(processor[name].slice(1)), ' s'),
    spreadText(ratioOf(processor[name].slice(1), processor.nothing.slice(1))),
  ];
  return {
    title: 'Start of the package',
    about: 'From the start of the process until `/readyz` is 200, with data in the embedded database.',
    head: ['command', 'ready after', 'to bare Node', 'processor', 'to bare Node'],
    rows: [rowOf('npx gemba', 'npx'), rowOf('node_modules/.bin/gemba', 'gemba'), rowOf('bare Node', 'nothing')],
  };
}

const ownProcessorSecs = 'const { user, system } = process.cpuUsage(); (user + system) / 1e6';
