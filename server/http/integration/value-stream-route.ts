/** The route that draws the value stream of a map. */
import { createHash } from 'node:crypto';
import { Type } from 'typebox';
import { toFullMap } from '../../../shared/domain/map.ts';
import { Closed, Described } from '../../../shared/schema/fields.ts';
import { svgContentType, valueStreamSvg } from '../../../shared/value-stream/value-stream-svg.ts';
import { drawingLanguages } from '../../../shared/value-stream/words.ts';
import { etagOf, etagWithPart } from '../../core/etag.ts';
import { exampleOrderMapId } from '../routes/example-ids.ts';
import { findReadableMap } from '../routes/readable-map.ts';
import { route, type Route } from '../route.ts';
import type { Services } from '../services.ts';

const DrawingQuery = Closed({
  lang: Described(
    Type.Optional(Type.Enum([...drawingLanguages], { expected: drawingLanguages.join(' or ') })),
    'The language of the words. Default: `en`.',
  ),
});

export const valueStreamRoute = (services: Services): Route =>
  route({
    method: 'GET',
    path: '/api/v1/maps/:id/value-stream.svg',
    access: ['read'],
    query: DrawingQuery,
    async handle({ caller, params, query }) {
      const found = await findReadableMap(services.store, caller, params);
      if (!found.ok) return found;
      const bytes = Buffer.from(valueStreamSvg(toFullMap(found.map), query));
      const headers = {
        'Content-Type': svgContentType,
        'Content-Disposition': 'inline; filename="value-stream.svg"',
        'Content-Security-Policy': drawingPolicy,
        // The ETag has a hash of the drawing, since a new version of the server may draw the same map differently.
        ETag: etagWithPart(etagOf(found.map), hashOf(bytes)),
      };
      return { ok: true, headers, bytes };
    },
    docs: {
      operationId: 'drawValueStream',
      tag: 'Exports',
      summary: 'Draw the value stream of a map',
      description:
        'An SVG for a report, which stands alone: the figures of the map, its times to scale and its stages in order. It has neither scripts nor references to other files.',
      response: {
        status: 200,
        description: 'The drawing.',
        schema: Type.String(),
        contentType: 'image/svg+xml',
        headers: ['Content-Disposition', 'ETag'],
      },
      codes: ['map_deleted'],
      conditionalRead: true,
      examples: { german: { summary: 'In German', path: { id: exampleOrderMapId }, query: { lang: 'de' } } },
    },
  });

/** Keeps a browser that opens the drawing as a page from running scripts and loading files. */
const drawingPolicy = "default-src 'none'; style-src 'unsafe-inline'";

const hashOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex').slice(0, 16);
