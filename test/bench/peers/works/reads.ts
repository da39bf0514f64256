/** Requests a second for one map. */
import { measureReadFigures } from '../../server/reads.ts';
import type { Work } from '../report/figures.ts';
import { fullSync, inMemory, postgresSync, workOf, type PeersSetting, type Subject } from './work-setting.ts';

const gemba = (durability: string): Subject => ({ role: 'gemba', durability });
const base = 'Gemba, a log line a request';

export async function measurePeerReads(setting: PeersSetting): Promise<Work[]> {
  const { log, noLog, express, http, postgres } = await measureReadFigures(setting);
  return [
    workOf<string>({
      id: 'reads',
      title: 'GET of a map of 12 stages',
      about:
        'On 32 connections, the log in a file. Express with helmet and Node alone return a document that they hold in memory; they know no tokens, limits, log or database.',
      unit: 'requests/s',
      better: 'higher',
      base,
      samples: {
        [base]: log,
        'Gemba, no log': noLog,
        ...(postgres ? { 'Gemba, no log, PostgreSQL': postgres } : {}),
        'Express with helmet': express,
        'Node alone': http,
      },
      subjects: {
        [base]: gemba(fullSync),
        'Gemba, no log': gemba(fullSync),
        'Gemba, no log, PostgreSQL': gemba(postgresSync),
        'Express with helmet': { role: 'limit', durability: inMemory },
        'Node alone': { role: 'limit', durability: inMemory },
      },
    }),
  ];
}
