import { expect, test } from 'vitest';
import { createToken } from '../auth/auth-contract.ts';
import { expectProblem, expectWrongFields, newApi, unknownMapId, type Api, type GetServers } from '../fixture.ts';

export function valueStreamContract(servers: GetServers): void {
  const newAccountApi = () => newApi(servers().first);
  const drawingOf = async (api: Api, path: string, init: RequestInit = {}) => {
    const response = await fetch(`${api.url}/api/v1/maps/${path}`, {
      ...init,
      headers: { Authorization: `Bearer ${api.key}`, ...init.headers },
    });
    return { status: response.status, headers: Object.fromEntries(response.headers), svg: await response.text() };
  };
  const mapWithStages = async (api: Api) => {
    const { id } = await api.createMap({ name: '<script>"x"</script>\u0007' });
    const stage = { stage: 'Sägen & Bohren', cycle_time_hrs: 0.5, wait_time_hrs: 26, work_type: 'valuable' };
    expect((await api.post(`/api/v1/maps/${id}/stages`, stage)).status).toBe(201);
    return `${id}/value-stream.svg`;
  };

  test('[EXPORT-30] [EXPORT-31] the value stream of a map is a file that a browser shows and runs nothing of', async () => {
    const api = await newAccountApi();
    const path = await mapWithStages(api);
    const drawn = await drawingOf(api, path);
    expect(drawn.status).toBe(200);
    expect(drawn.headers).toMatchObject({
      'content-type': 'image/svg+xml; charset=utf-8',
      'content-disposition': 'inline; filename="value-stream.svg"',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
      'x-content-type-options': 'nosniff',
      'content-length': String(Buffer.byteLength(drawn.svg)),
    });
    expect(drawn.svg).toContain('Sägen &amp; Bohren');
    expect(drawn.svg).toContain('1.1\u00a0d');
    expect(drawn.svg).toContain('&lt;script&gt;&quot;x&quot;&lt;/script&gt;');
    expect(drawn.svg).not.toContain('<script');
    const head = await drawingOf(api, path, { method: 'HEAD' });
    expect([head.status, head.svg]).toEqual([200, '']);
    const { 'content-length': length, etag } = drawn.headers;
    expect(head.headers).toMatchObject({ 'content-length': length, etag });
    expect(await drawingOf(api.at(servers().second), path)).toMatchObject({ status: 200, svg: drawn.svg });
  });

  test('[EXPORT-35] an unchanged drawing is 304, and another language or a changed map has another ETag', async () => {
    const api = await newAccountApi();
    const path = await mapWithStages(api);
    const etagOf = async (query = '') => (await drawingOf(api, path + query)).headers['etag']!;
    const etag = await etagOf();
    for (const method of ['GET', 'HEAD']) {
      const unchanged = await drawingOf(api, path, { method, headers: { 'If-None-Match': etag } });
      expect([unchanged.status, unchanged.svg, unchanged.headers['etag']]).toEqual([304, '', etag]);
    }
    expect(await etagOf('?lang=en')).toBe(etag);
    expect(await etagOf('?lang=de')).not.toBe(etag);
    await api.patch(`/api/v1/maps/${path.split('/')[0]}`, { name: 'Renamed' });
    expect(await etagOf()).not.toBe(etag);
    expect((await drawingOf(api, path, { headers: { 'If-None-Match': etag } })).svg).toContain('Renamed');
  });

  test('[EXPORT-34] `lang` chooses the words', async () => {
    const api = await newAccountApi();
    const path = await mapWithStages(api);
    expect((await drawingOf(api, path)).svg).toContain('Lead time');
    const german = await drawingOf(api, `${path}?lang=de`);
    expect(german.svg).toContain('Durchlaufzeit');
    expect(german.svg).toContain('1,1\u00a0d');
    expectWrongFields(await api.get(`/api/v1/maps/${path}?lang=fr`), ['/lang']);
    expectWrongFields(await api.get(`/api/v1/maps/${path}?language=de`), ['/language']);
  });

  test('[EXPORT-30] a drawing needs the scope read, and a map of the account that is not deleted', async () => {
    const api = await newAccountApi();
    const path = await mapWithStages(api);
    const recorder = await createToken(servers().first, api, { scopes: ['record'] });
    expectProblem(await recorder.get(`/api/v1/maps/${path}`), 403, 'forbidden');
    expectProblem(await (await newAccountApi()).get(`/api/v1/maps/${path}`), 404, 'map_not_found');
    expectProblem(await api.get(`/api/v1/maps/${unknownMapId}/value-stream.svg`), 404, 'map_not_found');
    await api.post(`/api/v1/maps/${path.split('/')[0]}/delete`);
    expectProblem(await api.get(`/api/v1/maps/${path}`), 404, 'map_deleted');
  });
}
