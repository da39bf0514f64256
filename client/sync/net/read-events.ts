/** Reads the server's event stream. Loaded after the first sync, since the device listens only when it is in sync. */
import { createParser } from 'eventsource-parser';
import { contentType, errorOfResponse, notFromGembaError, textChunksOf, unreachableError } from './read-response.ts';

export interface FeedListener {
  onCursor(cursor: string): void;
  /** Called when an event or a heartbeat has arrived on the stream. */
  onAlive(): void;
}

/** Reads the event stream until the stream ends; rejects when the stream breaks. */
export async function readEvents(response: Response, { onCursor, onAlive }: FeedListener): Promise<void> {
  if (!response.ok) throw await errorOfResponse(response);
  if (!/^text\/event-stream\b/.test(contentType(response)) || !response.body) throw notFromGembaError(response);
  const parser = createParser({
    onEvent: ({ event, data }) => {
      onAlive();
      if (event === 'cursor') onCursor((JSON.parse(data) as { cursor: string }).cursor);
    },
    onComment: onAlive,
  });
  try {
    for await (const text of textChunksOf(response.body)) parser.feed(text);
  } catch (error) {
    throw unreachableError(error);
  }
}
