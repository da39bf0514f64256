/** `value_add` is deprecated in favour of `work_type` since the change of 2026-04 (RFC 9745 names the instant in Unix time). */
import type { Response } from 'express';

const deprecatedSince = `@${Date.UTC(2026, 3, 1) / 1000}`;

export function announceDeprecation(res: Response, body: unknown): void {
  if (!carriesValueAdd(body)) return;
  res.set('Deprecation', deprecatedSince).append('Link', '</docs#value_add>; rel="deprecation"; type="text/html"');
}

/** On a stage, or on a step that becomes one. */
function carriesValueAdd(body: unknown): boolean {
  if (hasValueAdd(body)) return true;
  const steps = (body as { steps?: unknown } | null)?.steps;
  return Array.isArray(steps) && steps.some(hasValueAdd);
}

const hasValueAdd = (fields: unknown): boolean =>
  typeof fields === 'object' && fields !== null && 'value_add' in fields;
