/**
 * Requests the next page of a pull while the page before it is still on its way, since the server names the next cursor in
 * a header, before the body. Loaded with the first pull.
 *
 *   page 1   request ─► header ─► body ─► returned, written
 *   page 2                └─► request ─► header ─► body ─► returned when the pull asks for it
 *   page 3                                  └─► request, at the earliest when the pull asked for page 2
 */
import type { PullResponse } from '../../../shared/protocol/pull.ts';
import { nextCursorHeader } from '../../../shared/protocol/version.ts';
import { PackedPages, type RequestedForm } from './packed-pages.ts';

export interface PageForm extends RequestedForm {
  cursor?: string;
  signal?: AbortSignal;
  onHeaders?: (headers: Headers) => void;
}

type RequestPage = (form: PageForm) => Promise<PullResponse>;

/** The place of a page: each pull has a signal of its own. */
interface PageOfPull {
  /** Absent if the request only asks for the account's id. */
  clientId?: string;
  cursor: string;
  signal: AbortSignal;
}

interface PageUnderWay extends PageOfPull {
  response: Promise<PullResponse>;
  /** Resolves when the headers name a next page. */
  nextCursor: Promise<string>;
  abort: () => void;
}

export class PagesAhead {
  readonly #packed = new PackedPages();
  #ahead: PageUnderWay | undefined;
  /** False after a page that failed, until a pull has ended: a very slow line may not carry two pages in time. */
  #isOn = true;

  async fetch(request: RequestPage, place: PageOfPull): Promise<PullResponse> {
    const page = this.#take(place) ?? this.#start(request, place);
    void page.nextCursor.then((cursor) => {
      const { clientId, signal } = place;
      if (this.#isOn && clientId !== undefined && !signal.aborted)
        this.#ahead = this.#start(request, { ...place, cursor });
    });
    try {
      const response = await page.response;
      if (!response.has_more) this.#isOn = true;
      return response;
    } catch (error) {
      this.#isOn = false;
      this.#drop();
      throw error;
    }
  }

  /** Returns the page that was requested ahead if it is this one. Any other belongs to a pull that has ended. */
  #take({ cursor, signal }: PageOfPull): PageUnderWay | undefined {
    const ahead = this.#ahead;
    if (ahead?.cursor !== cursor || ahead.signal !== signal) return void this.#drop();
    this.#ahead = undefined;
    return ahead;
  }

  #drop(): void {
    this.#ahead?.abort();
    this.#ahead = undefined;
  }

  #start(request: RequestPage, { cursor, signal, ...rest }: PageOfPull): PageUnderWay {
    const controller = new AbortController();
    const abort = () => controller.abort();
    signal.addEventListener('abort', abort, { once: true });
    if (signal.aborted) abort();
    let onNextCursor: (cursor: string) => void;
    const nextCursor = new Promise<string>((resolve) => (onNextCursor = resolve));
    const onHeaders = (headers: Headers) => {
      const next = headers.get(nextCursorHeader);
      if (next) onNextCursor(next);
    };
    const response = this.#packed
      .request((form) => request({ ...form, cursor, signal: controller.signal, onHeaders }))
      .finally(() => signal.removeEventListener('abort', abort));
    // The pull may end before it asks for this page.
    response.catch(() => {});
    return { ...rest, cursor, signal, response, nextCursor, abort };
  }
}
