import type { ApiKey } from '../../../client.ts';
import { useState } from 'preact/hooks';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { List } from '../../ui/list.tsx';
import { Screen } from '../../ui/screen.tsx';
import { useGemba } from '../../shell/engine.tsx';
import { agoText } from '../../text/phone-times.ts';
import { FailureCard, WaitingNotice, useServerData } from './server-request.tsx';
import { listDistinctDevices } from './device-names.ts';
import { keyCreatorText } from './key-creators.ts';
import { KeyDialog, NewKeyDialog } from './key-dialogs.tsx';
import { deviceTexts, keyTexts } from '../../text/phone-on-demand.ts';

export function KeysScreen() {
  const gemba = useGemba();
  const { data, busy, failure, load } = useServerData(() => Promise.all([gemba.keys(), listDistinctDevices(gemba)]));
  const [keys, devices] = data ?? [];
  const [selected, setSelected] = useState<ApiKey>();
  const [isCreating, setCreating] = useState(false);

  return (
    <Screen title={keyTexts.title} back="/devices">
      <p class="soft">{keyTexts.why}</p>
      <WaitingNotice busy={busy && !keys} />
      <FailureCard text={failure} onAgain={load} />
      {keys && (
        <>
          <Button icon="plus" look="primary" wide onClick={() => setCreating(true)}>
            {keyTexts.newKey}
          </Button>
          <KeyList label={keyTexts.title} keys={keys.filter(({ revoked_at }) => !revoked_at)} onSelect={setSelected} />
          <KeyList label={deviceTexts.revoked} keys={keys.filter(({ revoked_at }) => revoked_at)} />
        </>
      )}
      <NewKeyDialog open={isCreating} onClose={() => setCreating(false)} onChanged={load} />
      <KeyDialog
        selected={selected}
        creator={selected && keys && devices && keyCreatorText(selected, keys, devices)}
        onClose={() => setSelected(undefined)}
        onChanged={load}
      />
    </Screen>
  );
}

interface KeyListProps {
  label: string;
  keys: ApiKey[];
  /** Absent in the list of revoked keys, since a person cannot select a revoked key. */
  onSelect?(key: ApiKey): void;
}

function KeyList({ label, keys, onSelect }: KeyListProps) {
  if (keys.length === 0) return null;
  return (
    <>
      {!onSelect && <h2>{label}</h2>}
      <List
        label={label}
        items={keys}
        rowHeight={84}
        keyOf={({ id }) => id}
        row={(key) => <KeyRow apiKey={key} onSelect={onSelect} />}
      />
    </>
  );
}

function KeyRow({ apiKey, onSelect }: { apiKey: ApiKey; onSelect: KeyListProps['onSelect'] }) {
  const { name, last_four, last_used_at, revoked_at } = apiKey;
  const since = revoked_at ?? last_used_at;
  const content = (
    <>
      <span class="list-name">{name}</span>
      <span class="soft small">
        {keyTexts.lastFour(last_four)} · {keyTexts.used(since && agoText(since, Date.now()), revoked_at !== null)}
      </span>
    </>
  );
  return (
    <div class="list-row device-row">
      {onSelect ? (
        <button type="button" class="list-text row-button" onClick={() => onSelect(apiKey)}>
          {content}
        </button>
      ) : (
        <div class="list-text row-button">{content}</div>
      )}
      {onSelect && <Icon name="forward" />}
    </div>
  );
}
