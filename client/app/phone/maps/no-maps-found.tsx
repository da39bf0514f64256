import { noMapsTexts } from '../../text/phone-maps.ts';
import { EmptyState } from '../../ui/empty-state.tsx';

/** Says that no map fits the search, or that the archive is empty. */
export const NoMapsFound = ({ isArchive }: { isArchive: boolean }) => (
  <EmptyState {...(isArchive ? noMapsTexts.archive : noMapsTexts.search)} />
);
