/** From the start of the installed package's program until the server is ready, beside a Node that does nothing. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { installPackage, program } from '../../package/installed-package.ts';
import { makeArtefactsIn } from '../../made-once.ts';
import { measureSecs, ratioOf, spreadOf, takeTurns } from '../measure.ts';
import type { Setting } from '../setting.ts';
import { spreadText, type FigureTable } from '../table.ts';
import { fillWithRuns, measureStart } from './start.ts';

export async function measurePackageStart({ smoke, dataDir }: Setting): Promise<FigureTable> {
  const folder = dataDir('package-start');
  await fillWithRuns(folder, smoke ? 100 : 5_000);
  makeArtefactsIn(dataDir('package'));
  const { project } = await installPackage();
  const start = (command: string[]) => () => measureStart(command, { dataDir: folder, cwd: project });
  const figures = await takeTurns(
    {
      npx: start(['npx', 'gemba']),
      gemba: start([process.execPath, program(project)]),
      nothing: () => measureSecs(() => promisify(execFile)(process.execPath, ['-e', '0'])),
    },
    { rounds: smoke ? 1 : 15 },
  );
  const rowOf = (name: string, secs: number[]) => [
    name,
    spreadText(spreadOf(secs), ' s'),
    spreadText(ratioOf(secs, figures.nothing)),
  ];
  return {
    title: 'Start of the package',
    about: 'From the start of the process until `/readyz` is 200, with data in the embedded database.',
    head: ['command', 'ready after', 'to node -e 0'],
    rows: [
      rowOf('npx gemba', figures.npx),
      rowOf('node_modules/.bin/gemba', figures.gemba),
      rowOf('node -e 0', figures.nothing),
    ],
  };
}
