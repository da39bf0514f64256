/** Normalises a stage's name, so that names match whatever white space, case and Unicode composition they have. */
export const stageKey = (stageName: string): string => stageName.trim().toLowerCase().normalize('NFC');
