/** Normalizes a stage's name. Two names with equal results match. */
export const stageKey = (stageName: string): string => stageName.trim().toLowerCase().normalize('NFC');
