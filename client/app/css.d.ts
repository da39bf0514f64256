/** Lets TypeScript accept an import of a style sheet, which Vite bundles. */
declare module '*.css';
