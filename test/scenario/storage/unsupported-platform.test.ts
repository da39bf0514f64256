/** A platform that lacks what the engine needs is told so when the engine opens. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { IDBFactory } from 'fake-indexeddb';
import { memoryStorage } from '../../device/devices.ts';

beforeEach(() => vi.resetModules());
afterEach(() => vi.unstubAllGlobals());

const options = { name: 'device', url: 'http://127.0.0.1:9', token: 'x' };
/** Loads the engine anew, since a file that needs a missing part would fail while it is loaded. */
const openAnew = async (more: { storage?: ReturnType<typeof memoryStorage> } = {}) => {
  const { openGemba } = await import('../../../client/client.ts');
  return openGemba({ ...options, ...more });
};

test.each(['crypto', 'TextEncoder', 'TextDecoder', 'AbortController', 'performance'])(
  '[STORAGE-95] without %s the opening is refused, and names what is missing and what to do',
  async (name) => {
    vi.stubGlobal(name, undefined);
    const message = new RegExp(`lacks .*${name}.* polyfill .* before the engine`);
    await expect(openAnew({ storage: memoryStorage() })).rejects.toMatchObject({
      name: 'GembaError',
      code: 'unsupported_platform',
      message: expect.stringMatching(message),
    });
  },
);

test('[STORAGE-95] without crypto.getRandomValues alone, that is what is named', async () => {
  const { subtle } = crypto;
  vi.stubGlobal('crypto', { subtle });
  await expect(openAnew({ storage: memoryStorage() })).rejects.toMatchObject({
    message: expect.stringMatching(/lacks crypto\.getRandomValues\. Load/),
  });
});

test('[STORAGE-95] a page without a secure context, where IndexedDB is, is told to use https', async () => {
  vi.stubGlobal('crypto', { getRandomValues: crypto.getRandomValues.bind(crypto) });
  vi.stubGlobal('indexedDB', new IDBFactory());
  vi.stubGlobal('isSecureContext', false);
  await expect(openAnew()).rejects.toMatchObject({
    code: 'unsupported_platform',
    message: 'This platform lacks crypto.subtle.digest. Open this page over https.',
  });
});

test('[STORAGE-95] a browser with IndexedDB that lacks other parts is told so by the package', async () => {
  vi.stubGlobal('indexedDB', new IDBFactory());
  for (const name of ['TextDecoder', 'AbortController']) vi.stubGlobal(name, undefined);
  const { openGemba } = await import('../../../client/entries/gemba.ts');
  await expect(openGemba(options)).rejects.toMatchObject({
    code: 'unsupported_platform',
    message: expect.stringMatching(/lacks TextDecoder, AbortController\. Load a polyfill/),
  });
});

test('[STORAGE-95] without IndexedDB and `storage` the opening is refused, and says to pass one', async () => {
  await expect(openAnew()).rejects.toMatchObject({
    code: 'unsupported_platform',
    message: expect.stringMatching(/lacks IndexedDB\. Pass `storage`/),
  });
});
