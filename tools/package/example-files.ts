/** Tells the files of the examples' authors, which the package has, from those that a person made by trying an example. */

/** An example is one folder of files. Lock files, data and files with a leading dot are made by those who try it. */
const exampleFile = /^[a-z][a-z-]*\/(?:(?:package|tsconfig)\.json|[A-Za-z][\w.-]*\.(?:md|js|ts|tsx|html|css|service))$/;
/** The empty path is the folder of all examples. */
const exampleFolder = /^(?:[a-z][a-z-]*)?$/;

/** Takes the path of a file or a folder, relative to the folder of all examples. */
export const isInExamples = (path: string): boolean => exampleFolder.test(path) || exampleFile.test(path);
