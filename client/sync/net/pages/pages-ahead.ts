/**
 * Requests the next page of a pull while the current page is still arriving. This is possible since the server names
 * the next cursor in a header, before the body. body-forms.ts loads it.
 *
 *   page 1   request ─► header ─► body ─► returned, written
 *   page 2                └─► request ─► header ─► body ─► returned when the pull asks for it
 *   page 3                                  └─► request, at the earliest when the pull asked for page 2
 */
import type { PullResponse } from '../../../../shared/protocol/pull.ts';
import { nextCursorHeader } from '../../../../shared/protocol/version.ts';
import { PackedPages, type FormatOptions } from './packed-pages.ts';

export interface PageOptions extends FormatOptions {
  cursor?: string;
  signal?: AbortSignal;
  onHeaders?: (headers: Headers) => void;
}

export type SendPageRequest = (form: PageOptions) => Promise<PullResponse>;

/** Identifies a page by its cursor and its pull. Each pull has its own `signal`. */
export interface PageKey {
  /** Absent if the request only asks for the account id. */
  clientId?: string;
  cursor: string;
  signal: AbortSignal;
}

interface RequestedPage {
  key: PageKey;
  response: Promise<PullResponse>;
  /** Resolves to the next page's cursor when the headers name one. */
  nextCursor: Promise<string>;
  abort: () => void;
}

export class PagePrefetcher {
  readonly #packed = new PackedPages();
  #ahead: RequestedPage | undefined;
  /**
   * Becomes false when a page fails, since a very slow line may not carry two pages in time. Becomes true at the end of
   * a pull.
   */
  #isOn = true;

  async fetch(request: SendPageRequest, key: PageKey): Promise<PullResponse> {
    const page = this.#take(key) ?? this.#request(request, key);
    void page.nextCursor.then((cursor) => {
      if (this.#isOn && key.clientId) this.#ahead = this.#request(request, { ...key, cursor });
    });
    try {
      const response = await page.response;
      this.#isOn ||= !response.has_more;
      return response;
    } catch (error) {
      this.#isOn = false;
      this.#drop();
      throw error;
    }
  }

  /**
   * Returns the page that was requested ahead, if `key` names it. Otherwise drops that page, since its pull has ended.
   */
  #take({ cursor, signal }: PageKey): RequestedPage | undefined {
    const ahead = this.#ahead;
    if (ahead?.key.cursor !== cursor || ahead.key.signal !== signal) return this.#drop();
    this.#ahead = undefined;
    return ahead;
  }

  #drop(): undefined {
    this.#ahead?.abort();
    this.#ahead = undefined;
  }

  #request(request: SendPageRequest, key: PageKey): RequestedPage {
    const { cursor, signal } = key;
    const controller = new AbortController();
    const abort = () => controller.abort();
    signal.addEventListener('abort', abort);
    if (signal.aborted) abort();
    let onNextCursor: (cursor: string) => void;
    const nextCursor = new Promise<string>((resolve) => (onNextCursor = resolve));
    const onHeaders = (headers: Headers) => {
      const next = headers.get(nextCursorHeader);
      if (next) onNextCursor(next);
    };
    const response = this.#packed.request((form) => request({ ...form, cursor, signal: controller.signal, onHeaders }));
    // Marks a rejection as handled, since the pull may end before it asks for this page. Removes the listener, since
    // all pages of a pull share `signal`, which would otherwise keep a listener for each page.
    response.catch(() => {}).finally(() => signal.removeEventListener('abort', abort));
    return { key, response, nextCursor, abort };
  }
}
