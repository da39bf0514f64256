/** Makes names for saved files that every file system accepts. */

/** A longer name of a map would hide the rest of the file's name in a list of files. */
const mapNameLengthMax = 60;
/** File systems limit a name to this many bytes of UTF-8. */
const nameBytesMax = 255;

// Windows forbids some of these characters. The control and format characters would hide or reverse a part of the name.
const unfitCharacters = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\\/:*?"<>|]+/gu;

interface FileNameParts {
  mapName: string;
  /** A name for the run, such as "run 7". Only a file of a single run has it. */
  run?: string | undefined;
  day: Date;
  /** The end of the name, such as steps.csv. */
  format: string;
}

/** Joins the parts: Press line, run 7, a day, steps.csv → `Press line run 7 2026-07-14 steps.csv`. */
export function fileNameOf({ mapName, run, day, format }: FileNameParts): string {
  const local = new Date(day.getTime() - day.getTimezoneOffset() * 60_000).toISOString().slice(0, 10);
  const rest = [...(run === undefined ? [] : [run]), local, format].join(' ');
  const fit = mapName
    .replaceAll(unfitCharacters, ' ')
    .replaceAll(/\s+/g, ' ')
    .replace(/^[. ]+/, '');
  const characters = [...fit].slice(0, mapNameLengthMax);
  while (utf8ByteCount(`${characters.join('')} ${rest}`) > nameBytesMax) characters.pop();
  return `${characters.join('').trim()} ${rest}`.trim();
}

const utf8ByteCount = (text: string): number => new TextEncoder().encode(text).length;
