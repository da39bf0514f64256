/** The time from a command until its server is ready. */
import { measureStartFigures } from '../../server/start.ts';
import type { Work } from '../report/figures.ts';
import { fullSync, workOf, type PeersSetting } from './work-setting.ts';

const base = 'npm start';

export async function measurePeerStarts(setting: PeersSetting): Promise<Work[]> {
  const { npm, node, bare } = await measureStartFigures(setting);
  const ms = (samples: number[]) => samples.map((secs) => secs * 1000);
  return [
    workOf<string>({
      id: 'starts',
      title: 'Start with 5,000 runs',
      about:
        'From the start of the process until `/readyz` is 200, with data on SQLite and nothing to build. The bare server opens the same file, counts the accounts and listens.',
      unit: 'ms',
      better: 'lower',
      base,
      samples: { [base]: ms(npm), 'node tools/start.js': ms(node), 'bare server': ms(bare) },
      subjects: {
        [base]: { role: 'gemba', durability: fullSync },
        'node tools/start.js': { role: 'gemba', durability: fullSync },
        'bare server': { role: 'limit', durability: fullSync },
      },
    }),
  ];
}
