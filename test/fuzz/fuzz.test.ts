import { describe, expect, test } from 'vitest';
import { testServer } from '../device/test-server.ts';
import { givenSeed } from '../random.ts';
import { runFuzzRound, type RoundFigure } from './round.ts';
import { headBytes } from './request.ts';
import { Wire } from './wire.ts';

const requests = 1_500;

describe('a server under fuzzed requests', () => {
  const seed = givenSeed ?? Date.now() % 1_000_000;

  test(`[FUZZ-1] [FUZZ-6] [FUZZ-7] [FUZZ-2] [FUZZ-3] [FUZZ-4] ${requests} of them find no fault (npm run fuzz for more)`, async () => {
    const figure = await runFuzzRound({ seed, requests });
    expect(figure.violations.slice(0, 5), `GEMBA_SEED=${seed}`).toEqual([]);
    expect(figure.requests).toBe(requests);
    expectBreadth(figure);
  });

  test('[FUZZ-5] [FUZZ-8] a target that is a whole URL counts by its path, and one that is none is a 404 with all headers', async () => {
    const server = await testServer();
    const wire = new Wire(server.port);
    const targets = ['http://any.host/healthz', 'http://[::1', '*'];
    const [whole, none, star] = await mapInTurn(targets, async (target) => {
      const bytes = headBytes({ method: target === '*' ? 'OPTIONS' : 'GET', target, headers: {} });
      const { answers } = await wire.exchange([{ bytes, isHead: false, isTorn: false }]);
      const { status, headers, body } = answers[0]!;
      expect(headers.has('X-Request-Id') && headers.has('RateLimit')).toBe(true);
      return { status, body: JSON.parse(body.toString()) as unknown };
    });
    wire.close();
    await server.remove();
    expect(whole).toEqual({ status: 200, body: { status: 'ok' } });
    for (const refused of [none, star]) expect(refused).toMatchObject({ status: 404, body: { code: 'not_found' } });
  });
});

async function mapInTurn<Item, Made>(items: Item[], make: (item: Item) => Promise<Made>): Promise<Made[]> {
  const made: Made[] = [];
  for (const item of items) made.push(await make(item));
  return made;
}

/** Requests that are all refused early prove nothing, so the statuses and kinds must be varied. */
function expectBreadth({ statuses, kinds }: RoundFigure): void {
  for (const status of [200, 201, 400, 401, 404, 405, 415, 422])
    expect([status, statuses.has(status)]).toEqual([status, true]);
  expect(kinds.size).toBe(5);
}
