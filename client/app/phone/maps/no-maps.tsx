import type { ComponentChildren } from 'preact';
import type { Status } from '../../../client.ts';
import { useGemba, useValue } from '../../shell/engine.tsx';
import { noMapsTexts } from '../../text/phone-maps.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { SampleOffer } from './sample.tsx';

/** Says why the list of maps is empty: the account has none, or this device has not loaded them yet. */
export function NoMaps({ children }: { children: ComponentChildren }) {
  const status = useValue(useGemba().status$);
  if (!status) return null;
  const reason = noMapsReasonOf(status);
  return (
    <EmptyState {...noMapsTexts[reason]}>
      {reason === 'loading' && <progress aria-label={noMapsTexts.loading.title} />}
      {children}
      {reason === 'empty' && <SampleOffer />}
    </EmptyState>
  );
}

function noMapsReasonOf({ last_synced_at, phase, error }: Status): 'empty' | 'loading' | 'unpaired' | 'notLoaded' {
  if (last_synced_at !== null) return 'empty';
  if (phase === 'syncing') return 'loading';
  return error?.code === 'unauthorized' ? 'unpaired' : 'notLoaded';
}

/** Says that no map matches the search, or that no map is archived. */
export const NoMapsFound = ({ isArchive }: { isArchive: boolean }) => (
  <EmptyState {...(isArchive ? noMapsTexts.archive : noMapsTexts.search)} />
);
