/** The name of a saved file, as any file system takes it. */

/** Leaves room for the day and the format in the 255 bytes of a name, also in letters of 3 bytes. */
const nameLengthMax = 60;

// Windows takes none of these characters, nor a point or a space at the end. Others would hide or turn a part of the name.
const unfit = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\\/:*?"<>|]+/gu;

interface FileNameParts {
  /** The name of the map, and what else tells the file from others. */
  names: readonly string[];
  day: Date;
  /** The name of the file that the server would send, such as steps.csv. */
  format: string;
}

/** Press line, run 7, steps.csv → `Press line run 7 2026-07-14 steps.csv` */
export function fileNameOf({ names, day, format }: FileNameParts): string {
  const plain = [...names.join(' ').replaceAll(unfit, ' ').replaceAll(/\s+/g, ' ').trim()];
  const local = new Date(day.getTime() - day.getTimezoneOffset() * 60_000).toISOString().slice(0, 10);
  const name = plain.slice(0, nameLengthMax).join('').trim().replace(/^\.+/, '');
  return [...(name === '' ? [] : [name]), local, format].join(' ');
}
