/** Escapes text for XML 1.0. XML cannot represent most control characters, so they are dropped and counted. */

export interface XmlEscaper {
  /** Escapes a text for the value of an attribute. */
  attribute(text: string): string;
  /** How many characters have been dropped so far. */
  dropped: number;
}

export function createXmlEscaper(): XmlEscaper {
  const escaper: XmlEscaper = {
    dropped: 0,
    attribute(text) {
      if (!specialPattern.test(text)) return text;
      const kept = text.replace(forbiddenPattern, () => {
        escaper.dropped += 1;
        return '';
      });
      return kept.replace(escapedPattern, (character) => xmlReferences[character]!);
    },
  };
  return escaper;
}

/** Matches the characters that XML 1.0 does not allow (https://www.w3.org/TR/xml/#charsets). */
const forbiddenPattern = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;
/**
 * The references that replace characters. They include line breaks and tabs, since a parser would turn these into
 * spaces.
 */
const xmlReferences: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
};
const escapedPattern = /[&<>"\t\n\r]/g;
/** Matches any character to escape or drop. Most texts have none, so one test suffices. */
const specialPattern = new RegExp(`${escapedPattern.source}|${forbiddenPattern.source}`, 'u');
