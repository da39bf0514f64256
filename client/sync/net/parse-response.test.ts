import { expect, test } from 'vitest';
import type { JsonObject } from '../../core/json-object.ts';
import { isPullResponse, isPushResponse } from './parse-response.ts';

const push = { results: [], last_seq: 3, cursor: 'c' };
const map = { kind: 'map', id: 'm', version: 1, deleted: false, doc: { id: 'm', name: 'Saw', stages: [] } };
const run = { kind: 'run', id: 7, version: 2, deleted: false, doc: { id: 7, map_id: 'm', steps: [] } };
const error = { code: 'map_deleted', detail: 'In the bin.' };
const client = {
  kind: 'client',
  id: 'c',
  version: 3,
  deleted: false,
  doc: { last_seq: 1, rejections: [{ seq: 1, error }] },
};
const pull = { changes: [map, run, client], cursor: 'c-2', has_more: false, epoch: 'e', account_id: 'a' };

const changed = (change: object, fields: object) => ({ ...pull, changes: [{ ...change, ...fields }] });
const changedClient = (doc: object) => changed(client, { doc: { ...client.doc, ...doc } });

test.each<[string, JsonObject, boolean]>([
  ['all of it', push, true],
  ['a field that is not known', { ...push, news: 1 }, true],
  ['no results', { ...push, results: undefined }, false],
  ['a number before the last one sent', { ...push, last_seq: 2 }, false],
  ['a number that is text', { ...push, last_seq: '3' }, false],
  ['no cursor', { ...push, cursor: null }, false],
  ['nothing', {}, false],
])('[SYNC-11] the answer to a push with %s', (_what, body, isOurs) => {
  expect(isPushResponse(body, 3)).toBe(isOurs);
});

test.each<[string, JsonObject, boolean]>([
  ['all kinds of changes', pull, true],
  ['no change', { ...pull, changes: [] }, true],
  ['more to come', { ...pull, has_more: true }, true],
  ['a removed run', changed(run, { deleted: true, doc: undefined }), true],
  ['more to come from the same cursor', { ...pull, has_more: true, cursor: 'c-1' }, false],
  ['an empty cursor', { ...pull, cursor: '' }, false],
  ['no epoch', { ...pull, epoch: undefined }, false],
  ['no account', { ...pull, account_id: '' }, false],
  ['changes that are no list', { ...pull, changes: {} }, false],
  ['a change that is null', { ...pull, changes: [null] }, false],
  ['a kind that is not known', changed(map, { kind: 'other' }), false],
  ['a change without a version', changed(map, { version: undefined }), false],
  ['a map of another id', changed(map, { id: 'other' }), false],
  ['a map without stages', changed(map, { doc: { id: 'm', name: 'Saw' } }), false],
  ['a run without a map', changed(run, { doc: { id: 7, steps: [] } }), false],
  ['a client without a number', changedClient({ last_seq: null }), false],
  ['a rejection without a reason', changedClient({ rejections: [{ seq: 1, error: {} }] }), false],
  ['no rejections', changedClient({ rejections: undefined }), false],
])('[SYNC-11] the answer to a pull with %s', (_what, body, isOurs) => {
  expect(isPullResponse(body, 'c-1')).toBe(isOurs);
});
