/** The name of a saved file, as any file system takes it. */

/** A longer name of a map hides the rest of the name in a list of files. */
const mapNameLengthMax = 60;
/** File systems count the bytes of UTF-8. */
const bytesMax = 255;

// Windows takes none of these characters, nor a point or a space at the end. Others would hide or turn a part of the name.
const unfit = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\\/:*?"<>|]+/gu;

interface FileNameParts {
  mapName: string;
  /** Tells the file of one run from others. */
  run?: string | undefined;
  day: Date;
  /** The name of the file that the server would send, such as steps.csv. */
  format: string;
}

/** Press line, run 7, steps.csv → `Press line run 7 2026-07-14 steps.csv` */
export function fileNameOf({ mapName, run, day, format }: FileNameParts): string {
  const local = new Date(day.getTime() - day.getTimezoneOffset() * 60_000).toISOString().slice(0, 10);
  const rest = [...(run === undefined ? [] : [run]), local, format].join(' ');
  const fit = mapName
    .replaceAll(unfit, ' ')
    .replaceAll(/\s+/g, ' ')
    .replace(/^[. ]+/, '');
  const characters = [...fit].slice(0, mapNameLengthMax);
  while (bytesOf(`${characters.join('')} ${rest}`) > bytesMax) characters.pop();
  return `${characters.join('').trim()} ${rest}`.trim();
}

const bytesOf = (text: string): number => new TextEncoder().encode(text).length;
