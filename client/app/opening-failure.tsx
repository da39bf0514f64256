import { GembaError } from '../client.ts';
import { Button } from './ui/button.tsx';
import { EmptyState } from './ui/empty-state.tsx';
import { isStorageBlocked } from './shell/page-storage.ts';
import { texts } from './text/texts.ts';

export function OpeningFailure({ error }: { error: unknown }) {
  const { title, text } = reasonTextsOf(error);
  return (
    <main class="screen">
      <EmptyState isWholePage title={title} text={text}>
        <Button look="primary" onClick={() => location.reload()}>
          {texts.notOpened.again}
        </Button>
      </EmptyState>
    </main>
  );
}

function reasonTextsOf(error: unknown): { title: string; text: string } {
  const { noStorage, notOpened } = texts;
  if (isStorageBlocked() || typeof indexedDB === 'undefined') return noStorage;
  if (error instanceof GembaError) return { title: notOpened.title, text: texts.errorText(error) };
  return { title: notOpened.title, text: notOpened.text(firstLineOf(error)) };
}

/** Returns only the first line of the message: Dexie repeats the message in further lines. */
const firstLineOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).replace(/\n.*/s, '');
