/** A JSON object in the document. */
export interface Json {
  [key: string]: unknown;
}
