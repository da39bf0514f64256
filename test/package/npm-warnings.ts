/** Finds what npm prints about the package, beside what it says of itself, of the registry and of other packages. */

/** A line that names the package, and not a folder or file whose name begins with its name, or a warning of Node. */
const ofPackageOrNode = /\bgemba(?![\w-])|^\(node:\d+\)|\b[A-Z]\w*Warning\b/;

export const warningsOfPackage = (stderr: string): string[] =>
  stderr.split('\n').filter((line) => ofPackageOrNode.test(line));
