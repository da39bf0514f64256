/** The problems of what other systems use. No device meets them. */
import type { ProblemKind } from './problem-kind.ts';

export const integrationProblemKinds = {
  cursor_expired: { status: 410, title: 'Events after this cursor were removed' },
  export_too_large: { status: 422, title: 'The export has too many steps' },
} as const satisfies Record<string, ProblemKind>;

export type IntegrationProblemCode = keyof typeof integrationProblemKinds;
