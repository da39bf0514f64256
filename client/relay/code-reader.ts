/**
 * Reads sealed requests from the QR codes on other devices' screens. The carrier then treats them like requests from a
 * channel.
 */
import { CodeCollector } from '../../shared/relay/code-frames.ts';
import type { CarriedMessages } from './carried-messages.ts';
import type { CodeReader } from './carrier-verbs.ts';
import { GivingSession } from './giving-session.ts';

interface QrCodeReaderOptions {
  /** The name of this device's server in frames. */
  server: string;
  messages: CarriedMessages;
  deliver: () => void;
}

/** Creates a reader of QR codes. The reader counts as one session: it may bring as many new bytes as a channel. */
export function codeReader({ server, messages, deliver }: QrCodeReaderOptions): CodeReader {
  const collector = new CodeCollector(server);
  const givingSession = new GivingSession();
  return {
    async add(text) {
      const collected = await collector.add(text);
      if (collected.kind !== 'whole') return collected;
      const { name, id, request: bytes } = collected;
      // The collector keeps the codes until `finish`, so that the next code of this message tries to store it again.
      if (messages.isRefused(id)) return { kind: 'refused', name };
      const part = { type: 'give', id, total: bytes.length, offset: 0, bytes } as const;
      const received = await messages.receive(part, givingSession, { byCode: true }).catch(() => undefined);
      // A message from codes is complete at once, so this session holds no incomplete one.
      messages.release(givingSession);
      if (!received) return { kind: 'not_stored', name };
      // A channel had brought different bytes under this id. `receive` has removed them, so the next code can succeed.
      if (!received.ok && received.code === 'malformed') return { kind: 'nothing' };
      if (!received.ok) return { kind: 'full', name };
      collector.finish(id);
      deliver();
      return { kind: 'whole', name };
    },
  };
}
