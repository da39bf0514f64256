/** How long the browser may take to read the content. Safari, and a browser that asks for a folder, read it late. */
const readMsMax = 10 * 60_000;

/** Gives the content to the browser's downloads under this name. */
export function saveFile(content: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), readMsMax);
}
