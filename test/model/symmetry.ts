/**
 * Texts of states that differ only in which device is called what are equal: their futures are the same but for the names.
 * A device is called by its rank among the texts of the devices without names. Digests of what a name is part of, and ids
 * that follow from them, are called by the order of their first appearance.
 */

/** Ids of devices as `idsOf` makes them: the code of the name's letter, and a count. */
const ownIds = /(?<=00000000-0000-4000-8000-)(\d\d)(?=\d{10})/g;
const digests =
  /(?<=")(?:[0-9a-f]{16,64}|(?!00000000-)[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})(?=")/g;

export interface NamedText {
  /** A capital letter. */
  name: string;
  text: string;
}

/** Returns the text of a state without the choice of names. The texts of devices must not hold their own name. */
export function textWithoutNames(devices: readonly NamedText[], rest: string): string {
  const ranked = devices
    .map((device) => ({ ...device, nameless: namelessOf(device) }))
    .toSorted((a, b) => (a.nameless < b.nameless ? -1 : Number(a.nameless > b.nameless)));
  const ranks = new Map(ranked.map(({ name }, rank) => [codeOf(name), String(rank)]));
  const text = [...ranked.map((device) => device.text), rest].join('\n');
  const numbers = new Map<string, string>();
  return text
    .replaceAll(ownIds, (code) => ranks.get(code) ?? code)
    .replaceAll(digests, (digest) => {
      const number = numbers.get(digest) ?? `digest ${numbers.size}`;
      numbers.set(digest, number);
      return number;
    });
}

const namelessTexts = new Map<string, string>();
const namelessTextsMax = 10_000;

/** Each text is asked for again and again, since a step changes one device. */
function namelessOf({ name, text }: NamedText): string {
  const known = namelessTexts.get(text);
  if (known !== undefined) return known;
  const own = codeOf(name);
  const nameless = text.replaceAll(ownIds, (code) => (code === own ? 'me' : 'other')).replaceAll(digests, 'digest');
  if (namelessTexts.size === namelessTextsMax) namelessTexts.clear();
  namelessTexts.set(text, nameless);
  return nameless;
}

const codeOf = (name: string): string => String(name.charCodeAt(0));
