/** Reads sealed requests from the screens of devices. The carrier takes them as if they had come over a channel. */
import { CodeCollector } from '../../shared/relay/code-frames.ts';
import type { CarriedMessages } from './carried-messages.ts';
import type { CodeReader } from './carrier-verbs.ts';
import { Giver } from './giver.ts';

interface CodeReaderOptions {
  /** The name of this device's server, as frames have it. */
  server: string;
  messages: CarriedMessages;
  deliver: () => void;
}

/** One reader is one session: it takes as many new bytes as a channel may bring. */
export function codeReader({ server, messages, deliver }: CodeReaderOptions): CodeReader {
  const collector = new CodeCollector(server);
  const giver = new Giver();
  return {
    async add(text) {
      const collected = await collector.add(text);
      if (collected.kind !== 'whole') return collected;
      const { name, id, request: bytes } = collected;
      // The code stays with the collector until it is stored, so that the next one of the same message tries again.
      if (messages.isRefused(id)) return { kind: 'refused', name };
      const part = { type: 'give', id, total: bytes.length, offset: 0, bytes } as const;
      const received = await messages.receive(part, giver, { byCode: true }).catch(() => undefined);
      // A message that came by code came whole.
      messages.release(giver);
      if (!received) return { kind: 'not_stored', name };
      // Other bytes came under this id over a channel, and are gone now.
      if (!received.ok && received.code === 'malformed') return { kind: 'nothing' };
      if (!received.ok) return { kind: 'full', name };
      collector.finish(id);
      deliver();
      return { kind: 'whole', name };
    },
  };
}
