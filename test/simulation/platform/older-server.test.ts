import { expect, test } from 'vitest';
import type { AppRequest } from './in-process.ts';
import { askOlder } from './older-server.ts';

const pull: AppRequest = {
  method: 'GET',
  target: '/api/v1/sync/pull?cursor=',
  headers: { accept: 'packed', 'gemba-base': 'x' },
  body: '',
};
const answer = {
  status: 200,
  headers: [] as [string, string][],
  body: Buffer.from('{"cursor":"c","push_brief":true}'),
};

test('[SIM-27] a server of an earlier version ignores what it does not know, announces no brief pushes and refuses them', async () => {
  const asked: AppRequest[] = [];
  const ask = async (request: AppRequest) => (asked.push(request), answer);
  expect((await askOlder(pull, ask)).body.toString()).toBe('{"cursor":"c"}');
  expect(asked).toEqual([{ ...pull, headers: {} }]);
  expect(await askOlder({ ...pull, method: 'POST', body: new ArrayBuffer(3) }, ask)).toMatchObject({ status: 415 });
  expect(asked).toHaveLength(1);
});
