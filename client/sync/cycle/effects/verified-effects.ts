/**
 * Holds the verified effects of this round's pushes: the device computed them, and the server confirmed them by a
 * digest, so no pull needs to bring them. They stay in memory until the end of the round. The round then writes them in
 * one transaction, like pulled changes.
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
  /** Whether the pushes of this device ask the server for their effects. */
  asksEffects: boolean;
}

/**
 * Limits the memory for the effects of one round. At the limit, the round's pull writes them, and the next round pushes
 * the rest.
 */
const recordsMax = 2_000;
/** After this many suspected refusals of the header `Gemba-Base`, this tab's pushes never ask for effects again. */
const headerFailuresMax = 3;

export class VerifiedEffects {
  readonly #options: VerifiedEffectsOptions;
  #verified: VerifiedRound | undefined;
  /**
   * The cursors before and after the last verified pushes. The event stream announces these cursors to this device,
   * too, although the device already has the changes.
   */
  #knownCursors: string[] = [];
  /** Whether the last push asked for its effects and failed. The header may be the cause. */
  #hasFailed = false;
  /** Counts how many times in a row a push that asked for effects failed and the next pull succeeded. */
  #headerFailures = 0;
  /** How many of the next pushes must not ask for effects. */
  #plainPushesLeft = 0;

  constructor(options: VerifiedEffectsOptions) {
    this.#options = options;
  }

  /**
   * Returns the cursor and the record kinds for which the next push asks for its effects; undefined if it must not ask.
   */
  get pushBase(): PushBase | undefined {
    const { base, kinds, asksEffects } = this.#options;
    const { cursor } = base;
    if (!asksEffects || this.#plainPushesLeft > 0 || !cursor?.complete || !cursor.push_effects) return undefined;
    return { cursor: (this.#current ?? cursor).cursor, kinds };
  }

  /** Whether the effects must be written before another push. */
  get isFull(): boolean {
    return (this.#verified?.records.size ?? 0) >= recordsMax;
  }

  /** Tells whether the cursor comes from this device's verified pushes, so that no pull is needed to reach it. */
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

  /** Returns the verified effects that are not written yet, and forgets them. */
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
   * Must be called after a pull. If the push before the pull failed, a server or firewall may refuse the header
   * `Gemba-Base`, so the next push goes without the header.
   */
  onPulled(): void {
    if (!this.#hasFailed) return;
    this.#hasFailed = false;
    this.#plainPushesLeft = ++this.#headerFailures < headerFailuresMax ? 1 : Infinity;
  }

  /** The verified effects, unless a pull or a new client id has made them obsolete. */
  get #current(): VerifiedRound | undefined {
    const { base, outbox } = this.#options;
    const verified = this.#verified;
    return verified?.from === base.cursor?.cursor && verified?.clientId === outbox.device.client_id
      ? verified
      : undefined;
  }
}
