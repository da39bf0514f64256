import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { routesOf } from '../../server/http/http-app.ts';
import { responsesFileUrl, type ExampleResponses } from '../../server/openapi/example-responses.ts';
import type { ApiDocument } from '../../server/openapi/document.ts';
import { openApiPathOf } from '../../server/openapi/parameters.ts';
import { placesOf, type Schema } from './shapes.ts';
import { operatorToken, testServer, type TestServer } from '../device/test-server.ts';
import { createSchemas } from '../../server/openapi/schemas.ts';
import { Closed, Described, Uuid } from '../../shared/schema/fields.ts';
import { answerCheck, type AnswerCheck } from './answer-schemas.ts';
import { lint } from './lint.ts';
import { recordedAnswers, replayExamples, type Replay } from './replay.ts';
import { story } from './story.ts';

/** No request of these tests gets as far as to Stripe. */
const billing = {
  secretKey: 'sk_test_1',
  webhookSecret: 'whsec_1',
  teamPrices: ['price_1'],
  seatPrices: ['price_2'],
  apiUrl: 'http://127.0.0.1:1',
  origins: ['https://gemba.example'],
};

describe('the OpenAPI document', () => {
  let server: TestServer;
  let replay: Replay;
  let document: ApiDocument;
  let check: AnswerCheck;
  beforeAll(async () => {
    server = await testServer({ billing });
    replay = await replayExamples();
    document = replay.document;
    check = answerCheck(document);
  });
  afterAll(() => server.remove());

  test('[OPENAPI-1] it is valid OpenAPI 3.1, to which the linter has nothing to say', async () => {
    expect(document['openapi']).toBe('3.1.0');
    expect(await lint(document)).toBe('');
  });

  test('[OPENAPI-1] the linter does say something when there is something', async () => {
    const broken = structuredClone(document);
    delete (broken.paths['/api/v1/maps']!['get'] as { description?: string }).description;
    expect(await lint(broken)).toMatch(/operation-description/);
  });

  test('[OPENAPI-2] every route of the server is in the document, and the reverse', async () => {
    const routes = routesOf(server.services, operatorToken).map(
      ({ method, path }) => `${method} ${openApiPathOf(path)}`,
    );
    const shown = placesOf(document).map(({ method, path }) => `${method} ${path}`);
    expect(shown.toSorted()).toEqual(routes.filter((route) => !route.startsWith('GET /docs/')).toSorted());
  });

  test('[OPENAPI-2] the server takes exactly the methods that the document tells', async () => {
    for (const [path, item] of Object.entries(document.paths)) {
      const response = await fetch(server.url + path.replaceAll(/[{}]/g, ''), { method: 'OPTIONS' });
      const allowed = response.headers.get('Allow')?.split(', ') ?? [];
      const isImplied = (method: string) => method === 'OPTIONS' || (method === 'HEAD' && 'get' in item);
      const methods = allowed.filter((method) => !isImplied(method));
      expect([path, methods.toSorted()]).toEqual([
        path,
        Object.keys(item)
          .map((method) => method.toUpperCase())
          .toSorted(),
      ]);
    }
  });

  test('[OPENAPI-3] each example, sent to a server, is answered as the document says', () => {
    for (const scene of replay.played) expect(check(scene)).toEqual([]);
    const refused = replay.played.filter(({ status }) => status > 299);
    expect(refused.map(({ operationId, example, status }) => [operationId, example, status])).toEqual([]);
  });

  test('[OPENAPI-3] no example is left out, and none is sent twice', () => {
    const docs = routesOf(server.services, operatorToken).flatMap((route) => route.docs ?? []);
    const examples = docs.flatMap(({ operationId, examples: named }) =>
      Object.keys(named).map((name) => `${operationId} ${name}`),
    );
    expect(story.map(({ operationId, example }) => `${operationId} ${example}`).toSorted()).toEqual(
      examples.toSorted(),
    );
    expect(replay.played).toHaveLength(story.length);
  });

  test('[OPENAPI-4] the answers that the document shows are what the server answers; else npm run openapi -- --record', () => {
    const shown = JSON.parse(readFileSync(responsesFileUrl, 'utf8')) as ExampleResponses;
    expect(recordedAnswers(replay.played)).toEqual(shown);
  });

  test('[OPENAPI-5] refusals are in the document with their codes', async () => {
    const token = await server.newAccount();
    for (const { method, path, operation } of placesOf(document)) {
      const url = server.url + path.replaceAll(/\{\w+\}/g, '7');
      const asked = [
        await fetch(url, { method }),
        await fetch(url, { method, headers: { Authorization: 'Bearer no' } }),
      ];
      if (operation.requestBody) {
        const security = Object.keys(operation.security[0] ?? {});
        const headers = {
          Authorization: `Bearer ${security.includes('operator') ? operatorToken : token}`,
          'Content-Type': 'application/json',
          'Gemba-Protocol': '1',
        };
        for (const body of ['{', '{"no_such_field":1}', '[]']) asked.push(await fetch(url, { method, headers, body }));
        const plain = { ...headers, 'Content-Type': 'text/plain' };
        asked.push(await fetch(url, { method, headers: plain, body: 'text' }));
      }
      for (const response of asked) {
        const { status, headers } = response;
        if (method === 'HEAD') {
          expect(Object.keys(operation.responses)).toContain(String(status));
          continue;
        }
        const isJson = headers.get('Content-Type')?.includes('json') === true;
        const body = isJson ? await response.json() : await response.text();
        expect(check({ method, path, status, headers, body })).toEqual([]);
      }
    }
  });

  test('[OPENAPI-6] every field, parameter and answer says what it means', () => {
    const schemas = Object.entries(document.components['schemas'] as Record<string, Schema>);
    const mute = schemas.flatMap(([name, { properties = {}, description }]) => [
      ...(description ? [] : [name]),
      ...Object.entries(properties).flatMap(([field, schema]) => (schema.description ? [] : [`${name}.${field}`])),
    ]);
    expect(mute).toEqual([]);
    const parameters = placesOf(document).flatMap(({ operation }) => operation.parameters ?? []);
    expect(parameters.filter((parameter) => !('$ref' in parameter) && !parameter.description)).toEqual([]);
  });

  test('[OPENAPI-6] two schemas with one title are found, and so is one that refuses unknown fields in an answer', () => {
    const words = { title: 'Thing', description: 'A thing.' };
    const schemas = createSchemas();
    const thing = Closed({ id: Described(Uuid, 'Its id.') }, words);
    schemas.convert(thing, 'request');
    schemas.convert(Described(thing, 'The same thing.'), 'request');
    expect(() => schemas.convert(Closed({ id: Described(Uuid, 'Another.') }, words), 'request')).toThrow('title Thing');
    expect(() => schemas.convert(thing, 'response')).toThrow('in a request and in a response');
  });

  test('[OPENAPI-6] each body has a named schema', () => {
    const bodies = placesOf(document).flatMap(
      ({ operation }) => operation.requestBody?.content['application/json'] ?? [],
    );
    expect(bodies.filter(({ schema }) => schema.$ref === undefined)).toEqual([]);
    expect(bodies.length).toBeGreaterThan(8);
  });

  test('[OPENAPI-7] it can be cached and asked for again by its ETag', async () => {
    const first = await fetch(`${server.url}/api/v1/openapi.json`);
    expect(first.headers.get('Cache-Control')).toMatch(/^public, max-age=\d+$/);
    const etag = first.headers.get('ETag') ?? '';
    const again = await fetch(`${server.url}/api/v1/openapi.json`, { headers: { 'If-None-Match': etag } });
    expect(again.status).toBe(304);
    expect(((await first.json()) as ApiDocument)['servers']).toMatchObject([{ url: '/' }]);
  });

  test('[OPENAPI-11] a server without an operator describes no operator routes', () => {
    const paths = routesOf(server.services, undefined).map(({ path }) => path);
    expect(paths.filter((path) => path.includes('/admin/'))).toEqual([]);
  });
});
