/** Writes text into XML 1.0, which has no form for most control characters: they are dropped and counted. */

export interface XmlTexts {
  /** Returns the text as the value of an attribute. */
  attribute(text: string): string;
  /** How many characters were dropped so far. */
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

/** Everything but the characters that XML 1.0 allows (https://www.w3.org/TR/xml/#charsets). */
const forbidden = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;
/** A parser makes spaces of the line breaks and tabs of an attribute, unless they are references. */
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
/** Most texts have neither, so one look suffices. */
const special = new RegExp(`${escaped.source}|${forbidden.source}`, 'u');
