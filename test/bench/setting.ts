export interface Setting {
  /** Short, to see that it works; its figures mean nothing. */
  smoke: boolean;
  /** A new folder. */
  dataDir: (name: string) => string;
  /** A new, empty database; absent where there is no PostgreSQL. */
  postgresUrl?: () => Promise<string>;
}
