/** How long the content stays readable. Safari reads it late, and so does a browser that first asks for a folder. */
const downloadReadMsMax = 10 * 60_000;

/** Makes the browser download the content as a file with this name. */
export function saveFile(content: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), downloadReadMsMax);
}
