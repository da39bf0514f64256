import { durationText, secsPerHour } from './format.ts';

/** Formats a duration that is in hours, as a map has its times. */
export const hoursText = (hrs: number): string => durationText(hrs * secsPerHour);
