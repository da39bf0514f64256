export interface JsonObject {
  [key: string]: unknown;
}
