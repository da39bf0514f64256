/** JSON as the document holds it. */
export interface Json {
  [key: string]: unknown;
}
