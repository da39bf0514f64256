/** Deliberate faults of devices that carry. */
import type { Fault } from './fault.ts';

const carrying = ['test/scenario/relay/carrying.test.ts'];
const hostileDevices = ['test/scenario/relay/limits/hostile-device.test.ts'];
const fullDisks = ['test/scenario/relay/full-disks.test.ts'];
const heldUp = ['test/scenario/relay/limits/held-up.test.ts'];
const handingOver = ['test/scenario/relay/handing-over.test.ts', 'test/scenario/relay/kept-work.test.ts'];

export const carrierFaults: readonly Fault[] = [
  {
    name: 'say that a part is stored before it is',
    harm: 'A phone whose battery ends has less than the watch believes.',
    file: 'client/relay/carried-messages.ts',
    find: 'await this.#table.write([{ id: messageRowId(key), body: next }, this.#index.partRow({ key, have, added })]);',
    replace:
      'void this.#table.write([{ id: messageRowId(key), body: next }, this.#index.partRow({ key, have, added })]);',
    tests: fullDisks,
  },
  {
    name: 'say that a message is stored before it is',
    harm: 'A watch shows a carrier for a recording that no phone has.',
    file: 'client/relay/carried-messages.ts',
    find: 'await this.#table.write([message, part], gone.filter(isGone));',
    replace: 'void this.#table.write([message, part], gone.filter(isGone));',
    tests: fullDisks,
  },
  {
    name: 'take a message whose bytes are others',
    harm: 'A phone carries what no server opens, in the place of the recording.',
    file: 'client/relay/carried-messages.ts',
    find: 'if ((await messageIdOf(request)) !== id) {',
    replace: 'if ((await messageIdOf(request)) === "") {',
    tests: carrying,
  },
  {
    name: 'drop an unsent message for a new one',
    harm: 'A recording that a watch saw on its way never arrives.',
    file: 'client/relay/carried-quotas.ts',
    find: "[\n  ...withState(messages, 'refused'),\n  ...withState(messages, 'answered'),\n];",
    replace: "withState(messages, 'held', 'refused', 'answered');",
    tests: ['test/scenario/relay/room.test.ts', ...carrying],
  },
  {
    name: 'let the answers fill the phone',
    harm: 'A phone that is full of answers takes no new recording.',
    file: 'client/relay/carried-quotas.ts',
    find: "Math.max(0, bytesMax - storedBytes(withState(messages, 'held')));",
    replace: "Math.max(0, bytesMax - storedBytes(withState(messages, 'held', 'answered')));",
    tests: ['test/scenario/relay/room.test.ts', ...carrying],
  },
  {
    name: 'forget the answer before the watch has it',
    harm: 'A channel that breaks takes the proof with it.',
    file: 'client/relay/carrier-session.ts',
    find: 'const sending = this.#sendPartsOf(id, answer, held < answer.length ? held : 0)',
    replace:
      'await this.#options.messages.forget(id);\n    const sending = this.#sendPartsOf(id, answer, held < answer.length ? held : 0)',
    tests: [...carrying, ...handingOver],
  },
  {
    name: 'forget what was not delivered when anybody says so',
    harm: 'A recording that a watch believes handed over is gone.',
    file: 'client/relay/carrier-session.ts',
    find: 'if (!answer) return;',
    replace: 'if (!answer) return void (await messages.refuse(id));',
    tests: hostileDevices,
  },
  {
    name: 'seal nothing anew after an answer that does not open',
    harm: 'Carriers give the broken answer again at each meeting, and the work never arrives.',
    file: 'client/hand-over/device-session.ts',
    find: 'if (this.#unopenable.size > 0) await',
    replace: 'if (this.#unopenable.size < 0) await',
    tests: ['test/scenario/relay/handing-over.test.ts'],
  },
  {
    name: 'go on with what others give under an id',
    harm: 'A device that knows an id keeps its owner from handing over.',
    file: 'client/relay/carried-messages.ts',
    find: '(this.#index.message(key)?.total ?? total) === total && this.#index.agrees(key, offset, bytes);',
    replace: 'key !== "" && this.#index.agrees(key, offset, new Uint8Array());',
    tests: hostileDevices,
  },
  {
    name: 'keep garbage before the messages of others',
    harm: 'One device fills a phone with 64 messages, and no other is served until the phone has a network.',
    file: 'client/relay/carried-quotas.ts',
    find: 'of givesWay ? [] : held.filter(([, { gives_way }]) => gives_way)) {',
    replace: 'of givesWay ? [] : held.filter(() => false)) {',
    tests: ['test/scenario/relay/limits/fair-places.test.ts'],
  },
  {
    name: 'carry without an end of new bytes',
    harm: 'One device fills the phone, and no other is served.',
    file: 'client/relay/carried-messages.ts',
    find: 'session.newBytesLeft -= total;',
    replace: '',
    tests: ['test/scenario/relay/room.test.ts'],
  },
  {
    name: 'hide that a carrier has another server',
    harm: 'A watch takes a carrier of another server for a broken one, and tries it again and again.',
    file: 'client/relay/carrier-session.ts',
    find: "if (server !== this.#options.server) return 'other_server';",
    replace: "if (server !== this.#options.server) return 'malformed';",
    tests: ['test/scenario/relay/channel-ends.test.ts'],
  },
  {
    name: 'deliver for others first',
    harm: 'The own recordings of a phone wait behind those of others.',
    file: 'client/relay/delivery/deliveries.ts',
    find: "if (hasOwnWork()) return 'own_work';",
    replace: 'void hasOwnWork;',
    tests: carrying,
  },
  {
    name: 'drop a message at any refusal',
    harm: 'A captive portal makes a phone forget the recording of a watch.',
    file: 'client/relay/delivery/post-sealed.ts',
    find: "if (code === 'relay_malformed' || code === 'relay_key_unknown') return { kind: 'refused' };",
    replace:
      "if (code === 'relay_malformed' || code === 'relay_key_unknown' || status >= 400) return { kind: 'refused' };",
    tests: carrying,
  },
  {
    name: 'take any 200 for an answer',
    harm: 'The page of a captive portal takes the place of the request, which never arrives.',
    file: 'client/relay/delivery/post-sealed.ts',
    find: "const isAnswer = response.ok && response.headers.get('Content-Type') === sealedAnswerMediaType;",
    replace: 'const isAnswer = response.ok;',
    tests: carrying,
  },
  {
    name: 'take each lost request for a lost network',
    harm: 'One message that a proxy refuses keeps all others from the server for two weeks.',
    file: 'client/relay/delivery/deliveries.ts',
    find: "if (!isLostAlone) return 'unreachable';",
    replace: "if (!isLostAlone || id !== '') return 'unreachable';",
    tests: heldUp,
  },
  {
    name: 'try what ends each round first',
    harm: 'A message that takes the line or the server down keeps a carrier from delivering all others.',
    file: 'client/relay/delivery/delivery-attempts.ts',
    find: ' + Math.max(0, (this.#connectionLosses.get(id) ?? 0) - 1)',
    replace: '',
    tests: ['test/scenario/relay/limits/delivering.test.ts'],
    only: 'RELAY-109',
  },
  {
    name: 'drop an answer by its age at once',
    harm: 'A carrier whose clock is set right drops each answer in the round that brought it.',
    file: 'client/relay/carried-quotas.ts',
    find: "withState(expired, 'answered', 'refused').filter(([, { dated_anew }]) => !dated_anew)",
    replace: "withState(expired, 'answered', 'refused').filter(() => false)",
    tests: ['test/scenario/relay/limits/delivering.test.ts'],
    only: 'RELAY-110',
  },
];
