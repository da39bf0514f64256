/** The texts of the account screen in German. The glossary is in texts.ts. */
import { countText, numberText } from '../format.ts';
import type { accountTexts as english } from '../en/phone-account.ts';

export const accountTexts: typeof english = {
  title: 'Konto',
  name: 'Name',
  plan: 'Tarif',
  plans: { free: 'Kostenlos', team: 'Team' },
  phones: 'Handys (jedes belegt einen Platz)',
  of: (count, max) =>
    max === null ? `${numberText(count)}, ohne Grenze` : `${numberText(count)} von ${numberText(max)}`,
  takesSeat:
    'Dieser Computer ist als Handy gekoppelt und belegt einen Platz. Koppeln Sie ihn neu als Computer, dann wird der Platz frei.',
  unsent: 'Nicht gesendete Arbeit',
  pending: (changes) =>
    changes === 0
      ? 'Alles von diesem Gerät ist auf dem Server.'
      : `${countText(changes, 'Änderung', 'Änderungen')} nur auf diesem Gerät`,
  unsentWhy:
    'Wenn dieses Gerät den Server nicht mehr erreicht, sichern Sie seine Arbeit als Datei und öffnen Sie sie auf einem anderen Gerät.',
  import: 'Datei öffnen',
  imported: (changes) =>
    changes === 0
      ? 'Dieses Gerät hat die Arbeit dieser Datei schon.'
      : `${countText(changes, 'Änderung', 'Änderungen')} hinzugefügt`,
};
