/** Reads sealed requests from the screens of devices. The carrier takes them as if they had come over a channel. */
import { CodeCollector } from '../../shared/relay/code-frames.ts';
import { newBytesPerSessionMax, type CarriedMessages } from './carried-messages.ts';
import type { CodeReader } from './carrier-verbs.ts';

interface CodeReaderOptions {
  messages: CarriedMessages;
  deliver: () => void;
}

/** One reader is one session: it takes as many new bytes as a channel may bring. */
export function codeReader({ messages, deliver }: CodeReaderOptions): CodeReader {
  const collector = new CodeCollector();
  let newBytesLeft = newBytesPerSessionMax;
  return {
    async add(text) {
      const collected = await collector.add(text);
      if (collected.kind !== 'whole') return collected;
      const { name, id, request: bytes } = collected;
      const isNew = !messages.has(id);
      const part = { type: 'give', id, total: bytes.length, offset: 0, bytes } as const;
      const received = await messages.receive(part, newBytesLeft, { byCode: true });
      if (!received.ok) return { kind: 'full', name };
      if (isNew) newBytesLeft -= bytes.length;
      deliver();
      return { kind: 'whole', name };
    },
  };
}
