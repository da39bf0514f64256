/** Escapes text for XML 1.0. Most control characters cannot be represented there: they are dropped and counted. */

export interface XmlTexts {
  /** Escapes a text for the value of an attribute. */
  attribute(text: string): string;
  /** How many characters have been dropped so far. */
  dropped: number;
}

export function xmlTexts(): XmlTexts {
  const texts: XmlTexts = {
    dropped: 0,
    attribute(text) {
      if (!special.test(text)) return text;
      const kept = text.replace(forbidden, () => {
        texts.dropped += 1;
        return '';
      });
      return kept.replace(escaped, (character) => references[character]!);
    },
  };
  return texts;
}

/** Matches the characters that XML 1.0 does not allow (https://www.w3.org/TR/xml/#charsets). */
const forbidden = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;
/** The escapes. Line breaks and tabs are among them, since a parser turns them into spaces otherwise. */
const references: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
};
const escaped = /[&<>"\t\n\r]/g;
/** Matches any character to escape or drop. Most texts have none, so one test suffices. */
const special = new RegExp(`${escaped.source}|${forbidden.source}`, 'u');
