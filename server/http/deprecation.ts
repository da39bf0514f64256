/**
 * Sends headers about the deprecation to a client that uses `value_add`. `work_type` replaced that field in 2026-04.
 */
import type { Response } from 'express';

/** The header `Deprecation` takes an instant in Unix time (RFC 9745). */
const deprecatedSince = `@${Date.UTC(2026, 3, 1) / 1000}`;

export function announceDeprecation(res: Response, body: unknown): void {
  if (!usesValueAdd(body)) return;
  res.set('Deprecation', deprecatedSince).append('Link', '</docs#value_add>; rel="deprecation"; type="text/html"');
}

/** Looks for `value_add` in the body, which may be a stage, and in the steps of a recording. */
function usesValueAdd(body: unknown): boolean {
  if (hasFieldValueAdd(body)) return true;
  const steps = (body as { steps?: unknown } | null)?.steps;
  return Array.isArray(steps) && steps.some(hasFieldValueAdd);
}

const hasFieldValueAdd = (fields: unknown): boolean =>
  typeof fields === 'object' && fields !== null && 'value_add' in fields;
