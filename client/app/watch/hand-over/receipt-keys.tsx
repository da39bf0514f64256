/** Large keys to type the code of a receipt. A person taps a group of four characters, then one of its characters. */
import { useState } from 'preact/hooks';
import { vibrate } from '../../recorder/run-with-vibration.ts';
import { handOverTexts } from '../../text/relay/watch-relay.ts';
import { texts } from '../../text/texts.ts';
import { Icon } from '../../ui/icon.tsx';

/** Crockford's base32, which has no letters that look like digits. */
const keyGroups = ['0123', '4567', '89AB', 'CDEF', 'GHJK', 'MNPQ', 'RSTV', 'WXYZ'];
const receiptCodeLength = 8;
const charactersBeforeDash = 4;
const keyVibrationMs = 15;

interface ReceiptKeysProps {
  onTyped(typed: string): void;
  onBack(): void;
}

export function ReceiptKeys({ onTyped, onBack }: ReceiptKeysProps) {
  const [typed, setTyped] = useState('');
  const [group, setGroup] = useState<string>();
  const type = (character: string) => {
    vibrate(keyVibrationMs);
    const next = typed + character;
    setTyped(next);
    setGroup(undefined);
    if (next.length === receiptCodeLength) onTyped(next);
  };
  const chooseGroup = (chosen: string) => {
    vibrate(keyVibrationMs);
    setGroup(chosen);
  };
  const shown = typed.padEnd(receiptCodeLength, '·');
  return (
    <main class="watch receipt-keys" id="content">
      <h1 class="receipt-typed">
        <span class="visually-hidden">{handOverTexts.typed}: </span>
        {shown.slice(0, charactersBeforeDash)}-{shown.slice(charactersBeforeDash)}
      </h1>
      {group === undefined ? (
        <div class="receipt-groups">
          {keyGroups.map((keys) => (
            <Key key={keys} label={keys} onTap={() => chooseGroup(keys)} />
          ))}
          <button
            type="button"
            class="receipt-key receipt-erase"
            aria-label={typed === '' ? texts.back : handOverTexts.erase}
            onClick={() => (typed === '' ? onBack() : setTyped(typed.slice(0, -1)))}
          >
            <Icon name={typed === '' ? 'back' : 'undo'} />
          </button>
        </div>
      ) : (
        <>
          <div class="receipt-four">
            {Array.from(group, (character) => (
              <Key key={character} label={character} onTap={() => type(character)} />
            ))}
          </div>
          <button
            type="button"
            class="receipt-key receipt-other"
            aria-label={texts.back}
            onClick={() => setGroup(undefined)}
          >
            <Icon name="back" />
          </button>
        </>
      )}
    </main>
  );
}

function Key({ label, onTap }: { label: string; onTap(): void }) {
  return (
    <button type="button" class="receipt-key" onClick={onTap}>
      {label}
    </button>
  );
}
