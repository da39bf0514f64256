/**
 * Records a machine by lines of text, such as those of a barcode scanner or a PLC:
 *
 *     start Press line    begins a recording of this map, which is made if there is none of this name
 *     step Weld           ends the step under way and begins this one
 *     note Jammed         adds to the step under way
 *     undo, end, discard  takes the last step or note back, finishes the recording, gives it up
 *     state               says what is recorded, and what is still to send
 *     pair 7K2M-9QXD      pairs the kiosk, which needs the network
 *
 * Each line is answered once it is on the disk: `ok`, or `error` with the reason, which then changed nothing. A line counts
 * with its end alone, so a sender that dies in the middle of one has not said it. On stdout are answers and nothing else.
 */
import { createServer } from 'node:net';
import { hostname } from 'node:os';
import { openGemba } from 'gemba';
import { nodeStorage } from 'gemba/node';
import { combineLatest, distinctUntilChanged, firstValueFrom, map } from 'rxjs';

const lineCharsMax = 1000;

const { GEMBA_URL = 'http://127.0.0.1:8080', GEMBA_KEY, KIOSK_DB = 'kiosk.db', KIOSK_HOST, KIOSK_PORT } = process.env;

const gemba = await openGemba({
  name: 'kiosk',
  url: GEMBA_URL,
  storage: nodeStorage(KIOSK_DB),
  // A paired kiosk needs no key.
  ...(GEMBA_KEY ? { token: GEMBA_KEY } : {}),
});

const state$ = combineLatest([gemba.status$, gemba.recording$]).pipe(
  map(([{ phase, pending, attention, error }, recording]) => {
    const steps = recording?.steps ?? [];
    const step = steps.length > 0 ? `step ${steps.length}, ${steps.at(-1)?.stage_name}` : 'no step yet';
    const doing = recording ? `recording ${step}` : 'not recording';
    const reason = error ? `: ${error.detail}` : '';
    return `state ${phase}, ${pending} to send, ${attention} refused, ${doing}${reason}`;
  }),
  distinctUntilChanged(),
);

/** Returns the recording under way, which has all its steps again after a crash. */
async function recordingUnderWay() {
  const recording = await firstValueFrom(gemba.recording$);
  if (!recording) throw new Error('nothing is being recorded');
  return recording;
}

/** @type {Record<string, (text: string) => Promise<unknown>>} */
const commands = {
  async start(name) {
    const maps = await firstValueFrom(gemba.maps$);
    const known = maps.find((other) => other.name === name);
    await gemba.startRecording(known ? { mapId: known.id } : { newMap: { name } });
  },
  step: async (stage_name) => (await recordingUnderWay()).step({ stage_name }),
  note: async (text) => (await recordingUnderWay()).note(text),
  undo: async () => (await recordingUnderWay()).undo(),
  end: async () => (await recordingUnderWay()).finish({ stages: 'merge' }),
  discard: async () => (await recordingUnderWay()).discard(),
  pair: (code) => gemba.pair(code, hostname()),
};

/** @param {string} line */
async function answer(line) {
  if (line.length > lineCharsMax) return `error a line has at most ${lineCharsMax} characters`;
  const said = line.trim();
  const name = said.split(/\s/, 1)[0] ?? '';
  const text = said.slice(name.length).trim();
  if (name === 'state') return firstValueFrom(state$);
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) return `error there is no command "${name}"`;
  try {
    await command(text);
    return 'ok';
  } catch (error) {
    return `error ${error instanceof Error ? error.message : error}`;
  }
}

/**
 * Answers the lines in their order. Keeps no more of a line that is too long than shows that it is.
 *
 * @param {import('node:stream').Readable} input
 * @param {NodeJS.WritableStream} output
 */
async function serve(input, output) {
  let begun = '';
  // A connection whose other side has ended still takes answers.
  for await (const chunk of input.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    const lines = (begun + chunk).split(/[\r\n]/);
    begun = (lines.pop() ?? '').slice(0, lineCharsMax + 1);
    for (const line of lines) if (line.trim() !== '') output.write(`${await answer(line)}\n`);
  }
  if (begun.trim() !== '') output.write('error the last line has no end and was not done\n');
}

async function close() {
  await gemba.close();
  process.exit(0);
}

for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, close);
state$.subscribe((state) => console.error(state));

if (KIOSK_PORT) {
  // A machine that ends its side at once still gets its answers.
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    // A machine that is switched off breaks its connection. What it said is on the disk.
    socket.on('error', () => socket.destroy());
    serve(socket, socket).then(
      () => socket.end(),
      () => socket.destroy(),
    );
  });
  server.listen(Number(KIOSK_PORT), KIOSK_HOST ?? '127.0.0.1', () => console.error('listening', server.address()));
} else {
  await serve(process.stdin, process.stdout);
  await gemba.sync();
  await close();
}
