/**
 * The online steps of this version, in their order. A step stays in the list for as long as databases without it may be
 * upgraded, and its name is never used again.
 */
import type { OnlineStep } from './online-step.ts';

export const onlineSteps: readonly OnlineStep[] = [];
