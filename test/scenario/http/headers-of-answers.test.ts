/** The headers of the API's answers that are about pages. */
import { expect, onTestFinished, test } from 'vitest';
import { testServer } from '../../device/test-server.ts';

test('[OPS-32] an answer of the API to a request with a token has no headers about pages but nosniff', async () => {
  const server = await testServer();
  onTestFinished(() => server.remove());
  const headers = { Authorization: `Bearer ${await server.newAccount()}`, 'Gemba-Protocol': '1' };
  for (const path of ['/api/v1/maps', '/api/v1/nowhere', '/api/v1/sync/pull?cursor=']) {
    const answered = await fetch(server.url + path, { headers });
    expect(answered.headers.get('X-Content-Type-Options')).toBe('nosniff');
    const names = [...answered.headers.keys()];
    expect(names.filter((name) => /policy|frame|^origin|download|dns|xss/.test(name))).toEqual(['ratelimit-policy']);
  }
  const withoutToken = await fetch(`${server.url}/api/v1/account`);
  expect([withoutToken.status, withoutToken.headers.get('Cross-Origin-Resource-Policy')]).toEqual([
    401,
    'cross-origin',
  ]);
  expect((await fetch(server.url)).headers.get('Cross-Origin-Resource-Policy')).toBe('same-origin');
});
