/** Reads the account's events in their order, and first all runs that are there. */
import { setTimeout } from 'node:timers/promises';

/**
 * @typedef {import('./run-table.js').Run} Run
 * @typedef {import('./run-table.js').Event} Event
 * @typedef {{ url: string, key: string, table: import('./run-table.js').RunTable, pollSecs: number, signal: AbortSignal }} FollowOptions
 *
 * @param {FollowOptions} options
 */
export async function followEvents({ url, key, table, pollSecs, signal }) {
  while (!signal.aborted) {
    try {
      if (table.cursor === undefined) await copyRuns();
      if (await readPage()) continue;
    } catch (error) {
      if (signal.aborted) return;
      report(error);
      // The bridge was away for more than 30 days, or the server was restored. Runs that are read again are kept once.
      if (error instanceof ApiError && error.code === 'cursor_expired') await copyRuns().catch(report);
    }
    await setTimeout(pollSecs * 1000, undefined, { signal }).catch(() => undefined);
  }

  /** Resolves to whether there is more right now. */
  async function readPage() {
    const query = new URLSearchParams({ after: table.cursor ?? '', types: 'recording.received', include: 'subject' });
    /** @type {{ data: Event[], next_cursor: string, has_more: boolean }} */
    const page = await get(`/events?${query}`);
    table.keepPage(page.data, page.next_cursor);
    return page.has_more;
  }

  /** Reads the latest cursor first, so that a run that is recorded during the copy comes as an event. */
  async function copyRuns() {
    const { next_cursor } = await get('/events?after=latest');
    for await (const map of list('/maps')) {
      try {
        for await (const run of list(`/maps/${map.id}/runs`)) table.keepRun(run);
      } catch (error) {
        // A person deleted the map meanwhile.
        if (!(error instanceof ApiError && error.code === 'map_deleted')) throw error;
      }
    }
    table.keepPage([], next_cursor);
    console.log('copied the runs that are there');
  }

  /** @param {string} path */
  async function* list(path) {
    let page = await get(`${path}?limit=200`);
    yield* page.data;
    while (page.next_cursor !== null) {
      page = await get(`${path}?limit=200&cursor=${encodeURIComponent(page.next_cursor)}`);
      yield* page.data;
    }
  }

  /**
   * Waits as long as the server asks, which it does over the rate limit and while it starts.
   *
   * @param {string} path
   * @returns {Promise<any>}
   */
  async function get(path) {
    for (;;) {
      const response = await fetch(`${url}/api/v1${path}`, {
        headers: { Authorization: `Bearer ${key}` },
        signal: AbortSignal.any([signal, AbortSignal.timeout(30_000)]),
      });
      if (response.ok) return response.json();
      const retryAfterSecs = Number(response.headers.get('Retry-After'));
      if (!(retryAfterSecs > 0)) throw await ApiError.of(response);
      await setTimeout(retryAfterSecs * 1000, undefined, { signal });
    }
  }
}

/** A refusal of the server, a problem of RFC 9457. */
class ApiError extends Error {
  /**
   * @param {string} code
   * @param {string} detail
   */
  constructor(code, detail) {
    super(detail);
    this.code = code;
  }

  /** @param {Response} response */
  static async of(response) {
    /** @type {any} */
    const problem = await response.json().catch(() => ({}));
    const { code = '', detail = `the server answered ${response.status}` } = problem;
    return new ApiError(code, detail);
  }
}

/** @param {unknown} error */
const report = (error) => console.error(error instanceof Error ? error.message : error);
