/** The API keys of the account: which there are, a new one, and one that is revoked. */
import { useState } from 'preact/hooks';
import type { ApiKey } from '../../../../shared/schema/auth.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { List } from '../../ui/list.tsx';
import { Screen } from '../../ui/screen.tsx';
import { useGemba } from '../../shell/engine.tsx';
import { ago } from '../../text/format.ts';
import { Asking, Trouble, useAnswer } from './asked.tsx';
import { makerOf } from './key-makers.ts';
import { KeyDialog, NewKeyDialog } from './key-dialogs.tsx';
import { deviceTexts, keyTexts } from '../../text/phone-devices.ts';

export function Keys() {
  const gemba = useGemba();
  const { answer, busy, trouble, load } = useAnswer(() => Promise.all([gemba.keys(), gemba.devices()]));
  const [keys, devices] = answer ?? [];
  const [chosen, choose] = useState<ApiKey>();
  const [making, setMaking] = useState(false);

  return (
    <Screen title={keyTexts.title} back="/devices">
      <p class="soft">{keyTexts.why}</p>
      <Asking busy={busy && !keys} />
      <Trouble text={trouble} onAgain={load} />
      {keys && (
        <>
          <Button icon="plus" look="primary" wide onClick={() => setMaking(true)}>
            {keyTexts.make}
          </Button>
          <KeyList label={keyTexts.title} keys={keys.filter(({ revoked_at }) => !revoked_at)} choose={choose} />
          <KeyList label={deviceTexts.revoked} keys={keys.filter(({ revoked_at }) => revoked_at)} />
        </>
      )}
      <NewKeyDialog open={making} onClose={() => setMaking(false)} onChanged={load} />
      <KeyDialog
        chosen={chosen}
        maker={chosen && keys && devices && makerOf(chosen, keys, devices)}
        onClose={() => choose(undefined)}
        onChanged={load}
      />
    </Screen>
  );
}

interface KeyListProps {
  label: string;
  keys: ApiKey[];
  /** Left out where nothing can be done with them any more. */
  choose?(key: ApiKey): void;
}

function KeyList({ label, keys, choose }: KeyListProps) {
  if (keys.length === 0) return null;
  return (
    <>
      {!choose && <h2>{label}</h2>}
      <List
        label={label}
        items={keys}
        rowHeight={84}
        keyOf={({ id }) => id}
        row={(key) => <KeyRow of={key} choose={choose} />}
      />
    </>
  );
}

function KeyRow({ of: key, choose }: { of: ApiKey; choose: KeyListProps['choose'] }) {
  const { name, last_four, last_used_at, revoked_at } = key;
  const since = revoked_at ?? last_used_at;
  const inside = (
    <>
      <span class="list-name">{name}</span>
      <span class="soft small">
        {keyTexts.ends(last_four)} · {keyTexts.used(since && ago(since, Date.now()), revoked_at !== null)}
      </span>
    </>
  );
  return (
    <div class="list-row device-row">
      {choose ? (
        <button type="button" class="list-text stage-open" onClick={() => choose(key)}>
          {inside}
        </button>
      ) : (
        <div class="list-text stage-open">{inside}</div>
      )}
      {choose && <Icon name="forward" />}
    </div>
  );
}
