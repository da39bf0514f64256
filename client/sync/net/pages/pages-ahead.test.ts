import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import type { PullResponse } from '../../../../shared/protocol/pull.ts';
import { PagePrefetcher, type PageOptions } from './pages-ahead.ts';

interface Request {
  cursor: string | undefined;
  signal: AbortSignal;
  /** Brings the headers; without a cursor, those of a server that names none. */
  headers(nextCursor?: string): void;
  body(page: { cursor: string; has_more: boolean }): void;
  fail(): void;
}

/** A server that answers when the test says so. */
function heldServer() {
  const requests: Request[] = [];
  const request = ({ cursor, signal, onHeaders }: PageOptions): Promise<PullResponse> =>
    new Promise((resolve, reject) => {
      requests.push({
        cursor,
        signal: signal!,
        headers: (next) => onHeaders?.(new Headers(next === undefined ? {} : { 'Gemba-Next-Cursor': next })),
        body: (page) => resolve({ changes: [], epoch: 'e', account_id: 'a', ...page }),
        fail: () => reject(new TypeError('cut')),
      });
    });
  const pull = new AbortController();
  const pages = new PagePrefetcher();
  const fetch = (cursor: string, signal = pull.signal) => pages.fetch(request, { clientId: 'c', cursor, signal });
  return { requests, request, pages, fetch, pull };
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));
const cursorsOf = (requests: Request[]) => requests.map(({ cursor }) => cursor);

test('[SYNC-102] the next page is requested when the headers name its cursor, and returned when the pull asks for it', async () => {
  const { requests, fetch } = heldServer();
  const first = fetch('');
  await nextTurn();
  requests[0]!.headers('one');
  await nextTurn();
  expect(cursorsOf(requests)).toEqual(['', 'one']);
  requests[1]!.headers();
  requests[1]!.body({ cursor: 'two', has_more: false });
  requests[0]!.body({ cursor: 'one', has_more: true });
  expect(await first).toMatchObject({ cursor: 'one' });
  expect(await fetch('one')).toMatchObject({ cursor: 'two' });
  expect(requests).toHaveLength(2);
});

test('[SYNC-103] no more than one page is requested ahead of the one that the pull has asked for', async () => {
  const { requests, fetch } = heldServer();
  const first = fetch('');
  await nextTurn();
  requests[0]!.headers('one');
  requests[0]!.body({ cursor: 'one', has_more: true });
  await first;
  requests[1]!.headers('two');
  requests[1]!.body({ cursor: 'two', has_more: true });
  await nextTurn();
  expect(cursorsOf(requests)).toEqual(['', 'one']);
  await fetch('one');
  await nextTurn();
  expect(cursorsOf(requests)).toEqual(['', 'one', 'two']);
});

test('[SYNC-104] a page that was requested ahead is aborted with its pull, and when another page is asked for', async () => {
  const { requests, fetch, pull } = heldServer();
  const begin = async (nth: number, signal: AbortSignal) => {
    const page = fetch('', signal);
    await nextTurn();
    requests[nth]!.headers('one');
    requests[nth]!.body({ cursor: 'one', has_more: true });
    await page;
  };
  await begin(0, pull.signal);
  expect(requests[1]!.signal.aborted).toBe(false);
  pull.abort();
  expect(requests[1]!.signal.aborted).toBe(true);

  const second = new AbortController();
  await begin(2, second.signal);
  void fetch('', second.signal);
  expect(requests[3]!.signal.aborted).toBe(true);

  const third = new AbortController();
  await begin(5, third.signal);
  void fetch('one', new AbortController().signal);
  expect(requests[6]!.signal.aborted).toBe(true);
  expect(cursorsOf(requests.slice(5))).toEqual(['', 'one', 'one']);
});

test('[SYNC-105] after a page that failed, none is requested ahead until a pull has ended', async () => {
  const { requests, fetch } = heldServer();
  const failing = fetch('');
  await nextTurn();
  requests[0]!.headers('one');
  await nextTurn();
  requests[0]!.fail();
  await expect(failing).rejects.toThrow('cut');
  expect(requests[1]!.signal.aborted).toBe(true);

  const first = fetch('');
  await nextTurn();
  requests[2]!.headers('one');
  requests[2]!.body({ cursor: 'one', has_more: true });
  await first;
  await nextTurn();
  expect(requests).toHaveLength(3);
  const last = fetch('one');
  await nextTurn();
  requests[3]!.headers();
  requests[3]!.body({ cursor: 'two', has_more: false });
  await last;

  void fetch('two');
  await nextTurn();
  requests[4]!.headers('three');
  await nextTurn();
  expect(cursorsOf(requests.slice(4))).toEqual(['two', 'three']);
});

test('[SYNC-106] without a cursor in the headers, no page is requested ahead', async () => {
  const { requests, fetch } = heldServer();
  const first = fetch('');
  await nextTurn();
  requests[0]!.headers();
  requests[0]!.body({ cursor: 'one', has_more: true });
  await first;
  await nextTurn();
  expect(requests).toHaveLength(1);
  void fetch('one');
  await nextTurn();
  expect(cursorsOf(requests)).toEqual(['', 'one']);
});

test('[SYNC-106] the request for the account has no next page', async () => {
  const { requests, request, pages } = heldServer();
  void pages.fetch(request, { cursor: '', signal: new AbortController().signal });
  await nextTurn();
  requests[0]!.headers('one');
  await nextTurn();
  expect(requests).toHaveLength(1);
});

test('[SYNC-107] a pull of many pages does not keep a listener for each page', async () => {
  const { requests, fetch, pull } = heldServer();
  for (let page = 0; page < 20; page++) {
    const answer = fetch(page === 0 ? '' : String(page));
    await nextTurn();
    requests[page]!.headers(String(page + 1));
    requests[page]!.body({ cursor: String(page + 1), has_more: true });
    await answer;
    await nextTurn();
  }
  expect(requests.length).toBeGreaterThanOrEqual(20);
  expect(getEventListeners(pull.signal, 'abort').length).toBeLessThanOrEqual(2);
});
