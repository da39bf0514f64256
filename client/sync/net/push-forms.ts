/**
 * Adds the header that asks for a push's effects, and sends the push in the brief form (shared/brief) if the server has
 * offered that form. body-forms.ts loads it.
 */
import { restoreAnswer, type BriefAnswer } from '../../../shared/brief/brief-answer.ts';
import {
  briefCharsMax,
  briefMediaType,
  toBriefPush,
  checkedTextOf,
  pushCheckOf,
  usualFormCharsMax,
} from '../../../shared/brief/brief-push.ts';
import { deviceReportHeader, formatDeviceReport, type DeviceReport } from '../../../shared/protocol/device-report.ts';
import { pushBaseHeader, formatPushBase, type PushBase } from '../../../shared/protocol/effects.ts';
import type { PullResponse } from '../../../shared/protocol/pull.ts';
import type { PushRequest } from '../../../shared/protocol/push.ts';
import { protocolVersion } from '../../../shared/protocol/version.ts';
import type { RecordingStep } from '../../../shared/schema/recording.ts';
import { recordingDigest, sha256 } from '../../core/hash.ts';
import { extendChain } from '../../outbox/model/chain.ts';
import { compressText, bodyRefusalStatuses } from './compress-body.ts';
import type { Unpack } from './read-response.ts';

type FetchWith = (form: RequestInit) => Promise<Response>;

export interface BriefSender {
  /** Calls `fetchWith` with the brief form. Resolves to undefined if the server or a firewall refuses that form. */
  send(fetchWith: FetchWith, report: DeviceReport | undefined): Promise<Response | undefined>;
}

/**
 * A device with verified effects may push for long without a pull. Every tenth push therefore carries the report even
 * if it is unchanged.
 */
const pushesPerReportMax = 10;

interface PushOptions {
  headers: Record<string, string>;
  brief?: BriefSender;
  /** Turns a brief answer into the JSON answer of a push. */
  unpack?: Unpack;
}

export class PushForms {
  #isBriefOffered = false;
  #isBriefRefused = typeof CompressionStream !== 'function';
  #lastReport: string | undefined;
  #pushesSinceReport = 0;

  /** Must be called after a pull, with the report that the pull carried. */
  onPulled({ push_brief }: PullResponse, report: DeviceReport | undefined): void {
    this.#isBriefOffered = push_brief === true;
    this.#noteReport(report);
  }

  /**
   * Returns the options of a push that asks for its effects. `base` has the cursor from which the effects are computed.
   */
  async optionsFor(base: PushBase, request: PushRequest): Promise<PushOptions> {
    const headers = { [pushBaseHeader]: formatPushBase(base) };
    const isBrief =
      this.#isBriefOffered && !this.#isBriefRefused && JSON.stringify(request).length <= usualFormCharsMax;
    const form = isBrief ? JSON.stringify(await briefFormOf(base, request)) : undefined;
    if (form === undefined || form.length > briefCharsMax) return { headers };
    const body = await compressText(form, 'deflate');
    const chain = await chainAfterPush(request);
    return {
      headers,
      brief: { send: (fetchWith, report) => this.#send(body, fetchWith, report) },
      unpack: (answer) =>
        'brief' in answer ? { ...restoreAnswer(answer as unknown as BriefAnswer, { request, chain }) } : answer,
    };
  }

  async #send(
    body: ArrayBuffer,
    fetchWith: FetchWith,
    report: DeviceReport | undefined,
  ): Promise<Response | undefined> {
    const reportToSend = this.#reportToSend(report);
    const reported = reportToSend && { [deviceReportHeader]: formatDeviceReport(reportToSend) };
    const response = await fetchWith({ body, headers: { 'Content-Type': briefMediaType, ...reported } });
    if (!bodyRefusalStatuses.has(response.status)) return response;
    this.#isBriefRefused = true;
    await response.body?.cancel();
    return undefined;
  }

  /**
   * Returns the report; undefined if the server has it. Ignores how much unsent work the report counts, since this push
   * sends the unsent work.
   */
  #reportToSend(report: DeviceReport | undefined): DeviceReport | undefined {
    const isKnown =
      reportTextWithoutUnsent(report) === this.#lastReport && ++this.#pushesSinceReport < pushesPerReportMax;
    if (isKnown) return undefined;
    this.#noteReport(report);
    return report;
  }

  #noteReport(report: DeviceReport | undefined): void {
    this.#lastReport = reportTextWithoutUnsent(report);
    this.#pushesSinceReport = 0;
  }
}

const reportTextWithoutUnsent = (report: DeviceReport | undefined): string =>
  JSON.stringify({ ...report, pending: 0, oldest_secs: undefined });

async function briefFormOf(base: PushBase, request: PushRequest) {
  const digests = new Map<unknown, string>();
  for (const { args } of request.mutations) {
    const { steps } = args as { steps?: RecordingStep[] };
    if (steps) digests.set(steps, await recordingDigest(steps));
  }
  const push = { protocol: protocolVersion, base, request };
  const check = pushCheckOf(await sha256(checkedTextOf(push)));
  return toBriefPush(push, { check, digestOf: (steps) => digests.get(steps) ?? '' });
}

function chainAfterPush({ chain = '', mutations }: PushRequest): Promise<string> {
  const links = mutations.map(({ name, args }) => ({ name, args, payload: { kind: 'mutation' } }));
  return extendChain(chain, links as Parameters<typeof extendChain>[1]);
}
