/** Makes the part of an engine that hands its work over to carriers. Its code is loaded when the engine has opened. */
import { defer, type Observable } from 'rxjs';
import { switchMap } from 'rxjs/operators';
import type { HandOverEngine, HandOverVerbs, OpenedHandOver } from './open-hand-over.ts';
import type { Status } from './sync/tabs/status.ts';

export interface HandOverPart {
  /** Called by `openGemba` with the parts of the engine, a `HandOverEngine`. */
  attach(engine: object, status$: Observable<Status>): void;
  /** Called by `openGemba` after a pairing, with the server's keys for sealed requests as base64url. */
  rememberKeys(list: string): Promise<void>;
}

export interface HandOver extends HandOverVerbs, HandOverPart {}

/**
 * Makes a hand-over, for the option `handOver` of `openGemba`. The verbs of a hand-over wait until its engine is open.
 */
export function createHandOver(): HandOver {
  let open: (verbs: Promise<OpenedHandOver>) => void = () => {};
  const verbs = new Promise<OpenedHandOver>((resolve) => void (open = resolve));
  // Marks a rejection as handled, so that the engine goes on without its hand-over. Each verb rejects, too.
  verbs.catch(() => undefined);
  const whenOpen = <Value>(select: (opened: OpenedHandOver) => Observable<Value>) =>
    defer(() => verbs).pipe(switchMap(select));
  return {
    attach: (engine: HandOverEngine, status$) =>
      open(import('./open-hand-over.ts').then(({ openHandOver }) => openHandOver({ ...engine, status$ }))),
    // Ignores a failure, since the device asks the server for the keys again later.
    rememberKeys: (list) => verbs.then(({ rememberKeys }) => rememberKeys(list)).catch(() => undefined),
    handOver: async (channel, options) => (await verbs).handOver(channel, options),
    previewHandOver: async () => (await verbs).previewHandOver(),
    carriers$: (session) => whenOpen((opened) => opened.carriers$(session)),
    showCodes: async (options) => (await verbs).showCodes(options),
    enterReceipt: async (typed) => (await verbs).enterReceipt(typed),
    receipt$: (session) => whenOpen((opened) => opened.receipt$(session)),
    handOverProblem$: whenOpen((opened) => opened.handOverProblem$),
  };
}
