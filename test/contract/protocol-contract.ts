/** Rules that hold for every request and response. */
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { bodyBytesMax } from '../../shared/schema/limits.ts';
import { expectProblem, expectWrongFields, newApi, steps, unknownMapId, type GetServers } from './fixture.ts';

const json = { 'Content-Type': 'application/json' };

export function protocolContract(servers: GetServers): void {
  test('[REST-1] every response carries a request id, and keeps a well-formed one of the caller', async () => {
    const api = await newApi(servers().first);
    expect((await api.get('/api/v1/maps', { 'X-Request-Id': 'a.B_c-1' })).headers.get('X-Request-Id')).toBe('a.B_c-1');
    for (const wrong of ['a b', 'a'.repeat(129)]) {
      const id = (await api.get('/nowhere', { 'X-Request-Id': wrong })).headers.get('X-Request-Id');
      expect(id).toMatch(/^[0-9a-f-]{36}$/);
    }
  });

  test('[REST-2] an unknown route is a 404 problem', async () => {
    const api = await newApi(servers().first);
    for (const path of ['/api/v1/nothing', '/api/v2/maps', '/', '/api/v1/maps/%zz', '/API/v1/maps', '/api/v1/maps/']) {
      expectProblem(await api.get(path), 404, 'not_found');
    }
  });

  test('[REST-3] [REST-75] another method is 405 and Allow names those that work', async () => {
    const api = await newApi(servers().first);
    const refused = await api.send('DELETE', '/api/v1/maps', {});
    expectProblem(refused, 405, 'method_not_allowed');
    expect(refused.headers.get('Allow')).toBe('GET, POST, HEAD, OPTIONS');
    const stage = await api.send('POST', `/api/v1/maps/${unknownMapId}/stages/1`, {});
    expect(stage.headers.get('Allow')).toBe('PATCH, OPTIONS');
    const metrics = await api.post('/metrics');
    expectProblem(metrics, 405, 'method_not_allowed');
    expect(metrics.headers.get('Allow')).toBe('GET, HEAD, OPTIONS');
    const options = await api.send('OPTIONS', '/api/v1/recording/new', {});
    expect([options.status, options.headers.get('Allow')]).toEqual([204, 'POST, OPTIONS']);
    const head = await api.send('HEAD', '/api/v1/maps', {});
    expect([head.status, head.body]).toEqual([200, undefined]);
  });

  test('[REST-4] a body that is not JSON is 400', async () => {
    const api = await newApi(servers().first);
    const notUtf8 = Buffer.concat([Buffer.from('{"name":"'), Buffer.from([0xff]), Buffer.from('"}')]);
    for (const raw of ['{', '{"name":}', 'name', notUtf8]) {
      expectProblem(await api.send('POST', '/api/v1/maps', { raw, headers: json }), 400, 'malformed_json');
    }
  });

  test('[REST-5] JSON that is no object is 422 at the root, and says so', async () => {
    const api = await newApi(servers().first);
    for (const raw of ['[]', '"x"', '1', 'null', 'true']) {
      const refused = await api.send('POST', '/api/v1/maps', { raw, headers: json });
      expectWrongFields(refused, ['']);
      expect(refused.body.detail).toBe('the whole: must be an object');
    }
  });

  test('[REST-6] a body that is not application/json in UTF-8 is 415', async () => {
    const api = await newApi(servers().first);
    const raw = '{"name":"A"}';
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/json; charset=latin1']) {
      const refused = await api.send('POST', '/api/v1/maps', { raw, headers: { 'Content-Type': type } });
      expectProblem(refused, 415, 'unsupported_media_type');
    }
    const untyped = await api.send('POST', '/api/v1/maps', { raw: Buffer.from(raw) });
    expectProblem(untyped, 415, 'unsupported_media_type');
    for (const parameters of ['; charset=UTF-8', ';charset="utf-8"; version=1', ' ; odd=1;']) {
      const headers = { 'Content-Type': `application/json${parameters}` };
      expect((await api.send('POST', '/api/v1/maps', { raw, headers })).status).toBe(201);
    }
  });

  test('[REST-7] a body over 1 MiB is 413, and one of 1 MiB is read', async () => {
    const api = await newApi(servers().first);
    const padded = (bytes: number) => `{"name":"A"${' '.repeat(bytes - 12)}}`;
    const send = (raw: string) => api.send('POST', '/api/v1/maps', { raw, headers: json });
    expectProblem(await send(padded(bodyBytesMax + 1)), 413, 'payload_too_large');
    expect((await send(padded(bodyBytesMax))).status).toBe(201);
  });

  test('[REST-52] [REST-80] a body that is too large is refused before it arrived, and the connection closes', async () => {
    const { port } = servers().first;
    const api = await newApi(servers().first);
    const head = `POST /api/v1/maps HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${api.key}\r\n`;
    const typed = `${head}Content-Type: application/json\r\n`;
    const length = `Content-Length: ${bodyBytesMax + 1}\r\n`;
    const chunk = `100000\r\n${' '.repeat(2 ** 20)}\r\n`;
    const sent: [string, string][] = [
      ['413', `${typed}${length}\r\n{`],
      ['413', `${typed}${length}Expect: 100-continue\r\n\r\n`],
      ['413', `${typed}Transfer-Encoding: chunked\r\n\r\n${chunk}${chunk}`],
      ['415', `${head}Content-Type: text/plain\r\nContent-Length: 9\r\nExpect: 100-continue\r\n\r\n`],
      ['100', `${typed}Content-Length: 12\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n{"name":"A"}`],
    ];
    // The requests run together because the server reads on for a while after a refusal before it closes.
    const answers = await Promise.all(
      sent.map(([, bytes]) => {
        const socket = connect(port, '127.0.0.1');
        socket.write(bytes);
        return text(socket);
      }),
    );
    for (const [index, [status]] of sent.entries()) {
      const answer = answers[index];
      expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
      if (status === '413') expect(answer).toMatch(/"code":"payload_too_large"/);
      if (status === '100') expect(answer).toMatch(/HTTP\/1.1 201 /);
      else expect(answer).toMatch(/^Connection: close\r$/m);
    }
  });

  test('[REST-8] fields that are unknown, missing or wrong are all named', async () => {
    const api = await newApi(servers().first);
    expectWrongFields(await api.post('/api/v1/maps', { nmae: 'A', 'a/b~c': 1 }), ['/name', '/nmae', '/a~1b~0c']);
    const wrong = { name: ' ', industry: 'x'.repeat(101), description: 1, state: 'past', id: 'no' };
    expectWrongFields(await api.post('/api/v1/maps', wrong), ['/name', '/industry', '/description', '/state', '/id']);
    const broken = [
      { stage_name: '', order: 0.5, duration_secs: -1, work_type: 'x', notes: 2, photos: [3], extra: 1 },
      7,
    ];
    const refused = await api.post('/api/v1/recording/new', { name: 'A', steps: broken, started_at: 'soon' });
    const fields = ['stage_name', 'order', 'duration_secs', 'work_type', 'notes', 'photos/0', 'extra'];
    expectWrongFields(refused, ['/steps/1', '/started_at', ...fields.map((field) => `/steps/0/${field}`)]);
    const many = Array.from({ length: 1_000 }, () => ({}));
    expect((await api.post('/api/v1/recording/new', { name: 'A', steps: many })).body.errors).toHaveLength(100);
  });

  test('[REST-9] a POST that needs no body takes none, an empty one and {}, and refuses unknown fields', async () => {
    const api = await newApi(servers().first);
    const { id } = await api.createMap();
    const { run } = await api.record(id);
    for (const path of [`/api/v1/maps/${id}/delete`, `/api/v1/maps/${id}/restore`]) {
      expectWrongFields(await api.post(path, { force: true }), ['/force']);
      expect((await api.post(path)).status).toBe(200);
      expect((await api.post(path, {})).status).toBe(200);
      expect((await api.send('POST', path, { raw: '' })).status).toBe(200);
    }
    expectWrongFields(await api.post(`/api/v1/runs/${run.id}/delete`, { force: true }), ['/force']);
  });

  test('[REST-10] value_add is announced as deprecated', async () => {
    const api = await newApi(servers().first);
    const { id } = await api.createMap();
    const old = await api.post(`/api/v1/maps/${id}/stages`, { stage: 'A', value_add: true });
    const [step] = steps('A');
    const recorded = await api.post(`/api/v1/maps/${id}/recording`, { steps: [{ ...step, value_add: false }] });
    for (const { headers } of [old, recorded]) {
      expect(headers.get('Deprecation')).toBe(`@${Date.parse('2026-04-01T00:00:00Z') / 1000}`);
      expect(headers.get('Link')).toContain('rel="deprecation"');
    }
    const current = await api.post(`/api/v1/maps/${id}/stages`, { stage: 'A', work_type: 'valuable' });
    expect(current.headers.get('Deprecation')).toBeNull();
  });

  test('[REST-11] the process says that it lives and that it can serve', async () => {
    const { url } = servers().first;
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
  });
}
