/**
 * How long the browser can read the content after the click. Safari reads the content late, and a browser may first ask
 * the person for a folder.
 */
const urlLifetimeMs = 10 * 60_000;

/** Makes the browser download the content as a file with this name. */
export function saveFile(content: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), urlLifetimeMs);
}
