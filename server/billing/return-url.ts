/** Checks the URLs to which people return from the pages of the payment service. */

/** The text goes to the payment service unchanged, so it must literally begin with one of the origins. */
export function isReturnUrl(text: string, origins: readonly string[]): boolean {
  if (!/^[\x21-\x7e]+$/.test(text) || !URL.canParse(text)) return false;
  const { origin } = new URL(text);
  return origins.includes(origin) && (text === origin || text.startsWith(`${origin}/`));
}
