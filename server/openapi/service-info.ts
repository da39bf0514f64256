/** The introduction of the API document. */
import { allProblemKinds } from '../../shared/protocol/problems/all-problems.ts';
import { bodyBytesMax, jsonDepthMax, pushBodyBytesMax } from '../../shared/schema/limits.ts';

const problemLinks = Object.keys(allProblemKinds)
  .map((code) => `[\`${code}\`](/docs#${code})`)
  .join(', ');

const mebibyteText = (bytes: number): string => `${bytes / 1024 / 1024} MiB`;

export const serviceInfo = {
  title: 'Gemba',
  version: '1.0.0',
  summary: 'Maps of work processes, and recordings of the work where it is done.',
  license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
  description: [
    `Bodies are JSON in UTF-8, of at most ${mebibyteText(bodyBytesMax)}, a sync push of ${mebibyteText(pushBodyBytesMax)}, and nest at most ${jsonDepthMax} levels. With a token they may be compressed: \`Content-Encoding\` gzip, deflate or br. Times are ISO 8601 in UTC with milliseconds. The unit of a duration is in its name: \`_secs\`, \`_hrs\`. Fields that a request should not have are refused, so that a typo is not lost silently.`,
    'Every answer carries `X-Request-Id`, `RateLimit` and `RateLimit-Policy`.',
    '**Lists** come in pages: `{"data": [...], "next_cursor": "..."}`. Send `next_cursor` as `?cursor=` for the next page, or follow the `Link` header, until it is null. A walk through the pages neither skips nor repeats a record that existed all the while.',
    '**Safe repetition.** A POST or PATCH may carry an `Idempotency-Key`: repeated under the same key it is done once and answered again. Recordings are idempotent by their session id, for ever.',
    '**Safe changes.** Maps and runs carry a strong `ETag`. `If-None-Match` answers 304 when nothing changed, `If-Match` answers 412 when something did.',
    `**Problems** are RFC 9457 bodies with a stable \`code\`. Decide by \`code\` and show \`detail\`. The \`type\` leads to what the code means: ${problemLinks}.`,
    '**Versions.** Within `/api/v1` there are only additions: be ready for new fields in answers. After a new major version this one stays for at least 12 months.',
    'HEAD goes wherever GET goes, and OPTIONS names the methods of a route.',
  ].join('\n\n'),
};

export const securitySchemes = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description:
      'An API key of an account (`gk_...`) or the token of a paired device (`gd_...`). Scopes: `read`; `record`, recordings and what they need; `write`, everything on maps, stages and runs; `admin`, devices, keys and pairing codes. An API key has all of them by default, a paired phone or desk too, a paired wearable `read` and `record`.',
  },
  operator: {
    type: 'http',
    scheme: 'bearer',
    description: "The operator's token: the server's variable `GEMBA_ADMIN_TOKEN`.",
  },
};
