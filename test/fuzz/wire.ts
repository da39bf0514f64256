/** A connection that sends raw bytes, several requests together if wanted, and reads the answers in order. */
import { connect, type Socket } from 'node:net';
import { parseAnswer, type RawAnswer } from './http-answer.ts';

export interface Sent {
  bytes: Buffer;
  isHead: boolean;
  /**
   * The request has a connection of its own, since it is incomplete or gets an unknown number of answers.
   */
  isTorn: boolean;
}

/** `silent`: the connection ended without an answer. */
export type Exchange = { answers: RawAnswer[]; end: 'answered' | 'silent' | 'late' | 'garbled'; tookMs: number };

/** Limits the processor time of an answer. This process also runs the server, so a busy machine is not counted. */
const answerCpuMsMax = 5_000;
/** An answer that takes longer counts as missing. */
const answerMsMax = 300_000;
/** After this time without an answer to an incomplete request, the server waits for more bytes. */
const incompleteWaitMs = 40;

export class Wire {
  readonly #port: number;
  #socket: Socket | undefined;

  constructor(port: number) {
    this.#port = port;
  }

  /** Sends all in one write; resolves with the last answer, or when no answer can come any more. */
  async exchange(sent: Sent[]): Promise<Exchange> {
    const socket = await this.#connect();
    const startedAt = performance.now();
    const cpuBefore = process.cpuUsage();
    const isTorn = sent.some((one) => one.isTorn);
    const answers: RawAnswer[] = [];
    let rest: Buffer = Buffer.alloc(0);
    const end = await new Promise<Exchange['end']>((resolve) => {
      const timer = setTimeout(() => resolve('late'), answerMsMax);
      const finish = (how: Exchange['end']) => {
        clearTimeout(timer);
        resolve(cpuMsSince(cpuBefore) > answerCpuMsMax ? 'late' : how);
      };
      const read = (ended: boolean) => {
        try {
          while (isTorn ? rest.length > 0 : answers.length < sent.length) {
            const parsed = parseAnswer(rest, { isHead: sent[answers.length]?.isHead ?? false, ended });
            if (parsed === 'more') break;
            answers.push(parsed.answer);
            rest = parsed.rest;
          }
        } catch {
          return finish('garbled');
        }
        if (isTorn ? ended && answers.length > 0 : answers.length === sent.length) finish('answered');
        else if (answers.at(-1)?.isStream) finish('answered');
        else if (ended) finish('silent');
        else if (isTorn && answers.length > 0) socket.end();
      };
      socket.on('data', (chunk: Buffer) => {
        rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
        read(false);
      });
      socket.on('close', () => read(true));
      socket.write(sent.length === 1 ? sent[0]!.bytes : Buffer.concat(sent.map(({ bytes }) => bytes)));
      if (isTorn) setTimeout(() => socket.end(), incompleteWaitMs);
    });
    socket.removeAllListeners('data').removeAllListeners('close');
    const last = answers.at(-1);
    const isReusable = end === 'answered' && last && !last.closes && !last.isStream && !isTorn;
    if (!isReusable || rest.length > 0) this.close();
    return {
      answers,
      end: rest.length > 0 && !isInterim(rest) ? 'garbled' : end,
      tookMs: performance.now() - startedAt,
    };
  }

  close(): void {
    this.#socket?.destroy();
    this.#socket = undefined;
  }

  async #connect(): Promise<Socket> {
    if (this.#socket && !this.#socket.destroyed && this.#socket.writable && this.#socket.readable) return this.#socket;
    const socket = connect({ port: this.#port, host: '127.0.0.1', allowHalfOpen: true, noDelay: true });
    // If the server closes the connection early, the bytes that it sent before are still read.
    socket.on('error', () => {});
    socket.on('end', () => socket.end());
    await new Promise<void>((resolve) => socket.once('connect', resolve));
    this.#socket = socket;
    return socket;
  }
}

/** The client sends nothing after `100 Continue`, so such an answer is the last. */
const isInterim = (rest: Buffer): boolean => /^HTTP\/1\.1 1\d\d [^\r\n]*\r\n\r\n$/.test(rest.toString('latin1'));

function cpuMsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
