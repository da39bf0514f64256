/** Shows the traced rounds of the sync with their requests. */
import type { SyncRequest, SyncRound, TraceFacts } from '../../inspect/shapes.ts';
import { element, type Child } from '../elements.ts';
import type { PanelContext } from '../panel-context.ts';

export function showTrace({ rounds, leads }: TraceFacts, context: PanelContext): Child[] {
  const { sync } = context.texts;
  return [
    !leads && element('p', { class: 'soft' }, sync.otherTab),
    rounds.length === 0
      ? element('p', { class: 'soft' }, sync.empty)
      : element(
          'ul',
          { class: 'rows', role: 'list' },
          ...rounds.map((round) => element('li', {}, showRound(round, context))),
        ),
  ];
}

function showRound(round: SyncRound, context: PanelContext): HTMLElement {
  const { texts, number, time, disclosures } = context;
  const { at, ms, outcome, error, waiting_before, waiting_after, records_written, requests, requests_left_out } = round;
  const { sync } = texts;
  const isBad = error !== null || outcome === 'blocked';
  const count = requests.length + requests_left_out;
  return disclosures.make(
    `round ${at}`,
    [
      time(at),
      element('span', { class: `tag${isBad ? ' tag-refused' : ''}` }, texts.phases[outcome]),
      ms !== null && element('span', { class: 'number' }, sync.round(number(ms))),
      element('span', { class: 'soft' }, sync.requests(number(count))),
      error !== null && element('span', { class: 'bad' }, error),
    ],
    () => [
      outcome !== 'between' &&
        element(
          'p',
          { class: 'soft' },
          `${sync.waiting(number(waiting_before), number(waiting_after))}; ${sync.written(number(records_written))}`,
        ),
      requests_left_out > 0 && element('p', { class: 'soft' }, sync.leftOut(number(requests_left_out))),
      element('ul', { class: 'requests', role: 'list' }, ...requests.map((request) => showRequest(request, context))),
    ],
  );
}

function showRequest(request: SyncRequest, { texts, number, size, time }: PanelContext): HTMLElement {
  const { at, kind, status, ms, sent_bytes, received_bytes, error, by } = request;
  const { sync } = texts;
  const outcome = error ?? (status === null ? sync.waitingForAnswer : String(status));
  const details = [
    ms === null ? null : sync.round(number(ms)),
    sent_bytes ? sync.sent(size(sent_bytes)) : null,
    received_bytes === null ? null : sync.received(size(received_bytes)),
    by === 'carrier' ? sync.byCarrier : null,
  ];
  return element(
    'li',
    {},
    time(at),
    ' ',
    element('strong', {}, sync.kinds[kind]),
    ' ',
    element('span', { class: error === null ? 'number' : 'bad' }, error && status ? `${status} ${outcome}` : outcome),
    ' ',
    element('span', { class: 'soft' }, details.filter((detail) => detail !== null).join(', ')),
  );
}
