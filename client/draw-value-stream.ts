/** Draws the value stream of a map on the device, with the same bytes as the server. Loaded on first use. */
import { findLiveMap } from '../shared/domain/guards.ts';
import { toFullMap } from '../shared/domain/map.ts';
import { svgContentType, valueStreamSvg, type ValueStreamOptions } from '../shared/value-stream/value-stream-svg.ts';
import { drawingLanguages } from '../shared/value-stream/words.ts';
import { GembaError } from './core/errors.ts';
import { lowerCaseUuid } from './core/ids.ts';
import { requireFields, throwIfInvalid } from './core/validate.ts';
import type { View } from './view/view.ts';

/** The method of `Gemba` that draws the value stream of a map. */
export interface DrawingVerbs {
  /**
   * Returns the same SVG as `GET /maps/{id}/value-stream.svg`, but drawn with this device's pending changes of the map.
   * Errors: `map_not_found`, `map_deleted`.
   */
  valueStreamSvg(mapId: string, options?: ValueStreamOptions): Promise<Blob>;
}

export function drawValueStream(view: Pick<View, 'map'>, mapId: string, options: ValueStreamOptions = {}): Blob {
  if (typeof mapId !== 'string') throwIfInvalid([{ path: '/mapId', message: 'must be a UUID' }]);
  requireFields(options, ['lang']);
  const { lang } = options;
  if (lang !== undefined && !drawingLanguages.includes(lang)) {
    throwIfInvalid([{ path: '/lang', message: `must be ${drawingLanguages.join(' or ')}` }]);
  }
  const found = findLiveMap(view, lowerCaseUuid(mapId));
  if (!found.ok) throw new GembaError(found.error);
  return new Blob([valueStreamSvg(toFullMap(found.record), options)], { type: svgContentType });
}
