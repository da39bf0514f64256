/** Answers that something on the way makes up: captive portals, proxies, firewalls and caches. */
import type { AppAnswer } from './in-process.ts';

export type ForgedAnswer =
  | 'portal'
  | 'forged 401'
  | 'forged 403'
  | 'forged 503'
  | 'forged 413'
  | 'empty'
  | 'other json';

export const forgedAnswers: readonly ForgedAnswer[] = [
  'portal',
  'forged 401',
  'forged 403',
  'forged 503',
  'forged 413',
  'empty',
  'other json',
];

const page = (status: number, headers: Record<string, string> = {}) =>
  new Response(`<h1>${status}</h1>`, { status, headers: { 'Content-Type': 'text/html', ...headers } });

export function forge(answer: ForgedAnswer): Response {
  switch (answer) {
    case 'portal':
      return new Response('<form>Welcome to our network</form>', { headers: { 'Content-Type': 'text/html' } });
    case 'forged 401':
      return page(401, { 'WWW-Authenticate': 'Basic realm="guests"' });
    case 'forged 403':
      return page(403);
    case 'forged 503':
      return page(503, { 'Retry-After': '20' });
    case 'forged 413':
      return page(413);
    case 'empty':
      return new Response(null, { status: 200 });
    case 'other json':
      return new Response('{"status":"ok"}', { headers: { 'Content-Type': 'application/json' } });
  }
}

/** The first half of an answer, as a line leaves it that is cut in the middle. */
export function cutAnswer({ status, headers, body: whole }: AppAnswer): Response {
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      controller.enqueue(new Uint8Array(whole.subarray(0, whole.length / 2)));
      controller.error(new TypeError('the line was cut'));
    },
  });
  return new Response(body, { status, headers });
}
