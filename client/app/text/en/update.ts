/** The texts of the offer of an update. */
export const updateTexts = { ready: 'A new version is ready.', now: 'Update now' };
