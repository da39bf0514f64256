/** Vite takes them. */
declare module '*.css';
