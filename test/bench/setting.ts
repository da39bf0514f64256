export interface Setting {
  /** Runs each bench briefly to see that it works; the figures mean nothing. */
  smoke: boolean;
  /** Makes a new folder. */
  dataDir: (name: string) => string;
  /** Makes a new, empty database; absent where there is no PostgreSQL. */
  postgresUrl?: () => Promise<string>;
}
