import { GembaError } from '../client.ts';
import { Button } from './ui/button.tsx';
import { EmptyState } from './ui/empty-state.tsx';
import { isStorageBlocked } from './shell/page-storage.ts';
import { texts } from './text/texts.ts';

const { noStorage, notOpened } = texts;

export function OpeningFailure({ error }: { error: unknown }) {
  const { title, text } = reasonOf(error);
  return (
    <main class="screen">
      <EmptyState isWholePage title={title} text={text}>
        <Button look="primary" onClick={() => location.reload()}>
          {notOpened.again}
        </Button>
      </EmptyState>
    </main>
  );
}

function reasonOf(error: unknown): { title: string; text: string } {
  if (isStorageBlocked() || typeof indexedDB === 'undefined') return noStorage;
  if (error instanceof GembaError) return { title: notOpened.title, text: error.message };
  return { title: notOpened.title, text: notOpened.text(firstLineOf(error)) };
}

/** Returns only the first line of the message: Dexie repeats the message in further lines. */
const firstLineOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).replace(/\n.*/s, '');
