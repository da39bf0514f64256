/**
 * The effects of this round's pushes that need no pull: the device computed them, and the server confirmed them by a
 * digest. They stand in memory until the round's pull writes them in one transaction, as it writes pulled changes.
 *
 *   push with Gemba-Base ─┬─► effects ─► computed here ─┬─► same digest ──► verified ─► written instead of a pull
 *                         └─► none ─► pulled            └─► other digest ─► dropped ──► pulled
 */
import type { PushBase } from '../../../../shared/protocol/effects.ts';
import type { PullableKind } from '../../../../shared/protocol/pullable-kinds.ts';
import type { PushResponse } from '../../../../shared/protocol/push.ts';
import type { Batch } from '../batch.ts';
import type { EffectSources, VerifiedRound } from './verify-push.ts';

interface VerifiedEffectsOptions extends EffectSources {
  kinds: readonly PullableKind[];
  /** Whether pushes ask for their effects. */
  asksEffects: boolean;
}

/** Bounds the memory. The round's pull then writes the effects, and another round pushes the rest. */
const recordsMax = 2_000;
/** After this many doubts, the pushes of this tab ask for effects no more. */
const headerFailuresMax = 3;

export class VerifiedEffects {
  readonly #options: VerifiedEffectsOptions;
  #verified: VerifiedRound | undefined;
  /** The cursors before and after this device's last pushes, which the event stream announces, too. */
  #knownCursors: string[] = [];
  /** Whether the last push asked for its effects and failed. */
  #hasFailed = false;
  /** How often in a row a push that asked for effects failed and the pull after it passed. */
  #headerFailures = 0;
  /** How many of the next pushes ask for no effects. */
  #plainPushesLeft = 0;

  constructor(options: VerifiedEffectsOptions) {
    this.#options = options;
  }

  /** The records that the next push may name; undefined if its effects must be pulled. */
  get pushBase(): PushBase | undefined {
    const { base, kinds, asksEffects } = this.#options;
    const { cursor } = base;
    if (!asksEffects || this.#plainPushesLeft > 0 || !cursor?.complete || !cursor.push_effects) return undefined;
    return { cursor: (this.#current ?? cursor).cursor, kinds };
  }

  get isFull(): boolean {
    return (this.#verified?.records.size ?? 0) >= recordsMax;
  }

  /** Tells whether a cursor of the event stream announces nothing but effects that are verified. */
  knows(cursor: string): boolean {
    return this.#knownCursors.includes(cursor);
  }

  /** Must be called with the response to each push of this device's own mutations. */
  async onPushed(sent: PushBase | undefined, { entries }: Batch, response: PushResponse): Promise<void> {
    const before = this.take();
    this.#hasFailed = false;
    if (sent) this.#headerFailures = 0;
    else this.#plainPushesLeft--;
    if (!sent || !response.effects) return;
    const verifying = await import('./verify-push.ts').catch(() => undefined);
    this.#verified = await verifying?.verifyPush(this.#options, before, { sent, entries, response });
    if (this.#verified) this.#knownCursors = [response.cursor, sent.cursor, ...this.#knownCursors].slice(0, 50);
  }

  /** Returns the effects that are verified and not written, and forgets them. */
  take(): VerifiedRound | undefined {
    const current = this.#current;
    this.#verified = undefined;
    return current;
  }

  /** Must be called when a push failed. */
  onPushFailed(sent: PushBase | undefined): void {
    this.#verified = undefined;
    this.#hasFailed = sent !== undefined;
  }

  /**
   * Must be called when a pull has brought records. If the push before failed, something on the way may refuse the
   * header of pushes, as an earlier server does to apps of other origins. The next push goes without the header.
   */
  onPulled(): void {
    if (!this.#hasFailed) return;
    this.#hasFailed = false;
    this.#plainPushesLeft = ++this.#headerFailures < headerFailuresMax ? 1 : Infinity;
  }

  /** The verified effects, if the device still has the records that they were computed from. */
  get #current(): VerifiedRound | undefined {
    const { base, outbox } = this.#options;
    const verified = this.#verified;
    return verified?.from === base.cursor?.cursor && verified?.clientId === outbox.device.client_id
      ? verified
      : undefined;
  }
}
