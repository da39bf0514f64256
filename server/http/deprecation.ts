/**
 * Announces in headers that `value_add` is deprecated since 2026-04 in favour of `work_type`. The header `Deprecation`
 * has the instant in Unix time (RFC 9745).
 */
import type { Response } from 'express';

const deprecatedSince = `@${Date.UTC(2026, 3, 1) / 1000}`;

export function announceDeprecation(res: Response, body: unknown): void {
  if (!carriesValueAdd(body)) return;
  res.set('Deprecation', deprecatedSince).append('Link', '</docs#value_add>; rel="deprecation"; type="text/html"');
}

/** Finds `value_add` on a stage, or on a recording's step, which becomes a stage. */
function carriesValueAdd(body: unknown): boolean {
  if (hasValueAdd(body)) return true;
  const steps = (body as { steps?: unknown } | null)?.steps;
  return Array.isArray(steps) && steps.some(hasValueAdd);
}

const hasValueAdd = (fields: unknown): boolean =>
  typeof fields === 'object' && fields !== null && 'value_add' in fields;
