/** Shows who has each recording of this device, and the messages that this device carries for other devices. */
import type { CustodyFacts, RecordingCustody } from '../../inspect/shapes.ts';
import { definitionList, element, type Child } from '../elements.ts';
import type { PanelContext } from '../panel-context.ts';

const recordingsShownMax = 50;

export function showCustody(custody: CustodyFacts, context: PanelContext): Child[] {
  const { texts, number, size, time } = context;
  const { recordings, carrying, read_codes: codes, hand_over_problem: problem } = custody;
  const { custody: words } = texts;
  const delivered = codes.filter((code) => code.delivered).length;
  return [
    element('h3', {}, words.own),
    recordings.length === 0
      ? element('p', { class: 'soft' }, words.empty)
      : element(
          'ul',
          { class: 'rows lines', role: 'list' },
          ...recordings.slice(0, recordingsShownMax).map((recording) => showRecording(recording, context)),
        ),
    recordings.length > recordingsShownMax &&
      element('p', { class: 'soft' }, texts.more(number(recordings.length - recordingsShownMax))),
    problem !== null && definitionList([[words.problem, element('span', { class: 'bad' }, problem)]]),
    carrying !== null &&
      definitionList([
        [words.carrying, words.carried(number(carrying.messages), size(carrying.bytes))],
        [words.oldest, carrying.oldest_at && time(carrying.oldest_at)],
        [words.codes, codes.length > 0 && words.delivered(number(delivered), number(codes.length))],
      ]),
  ];
}

function showRecording(recording: RecordingCustody, { texts, number, time }: PanelContext): HTMLElement {
  const { recording_session_id, recorded_at, state, custody, carriers } = recording;
  const { custody: words, outbox } = texts;
  return element(
    'li',
    {},
    element('code', {}, recording_session_id),
    element('span', { class: `tag tag-${custody === 'server' ? 'receipt' : 'pending'}` }, words.places[custody]),
    element('span', { class: 'soft' }, time(recorded_at)),
    // Say nothing of the state `receipt`, since the tag already says that the recording is on the server.
    state !== 'receipt' && element('span', { class: 'soft' }, state === 'draft' ? words.draft : outbox.states[state]),
    carriers.length > 0 && element('span', { class: 'soft' }, words.carriers(number(carriers.length))),
  );
}
