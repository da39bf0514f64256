/** The texts of the offer of an update in German. The glossary is in texts.ts. */
type English = typeof import('../en/update.ts');

export const updateTexts: English['updateTexts'] = { ready: 'Neue Version bereit.', now: 'Jetzt aktualisieren' };
