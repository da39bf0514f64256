export declare interface GembaServer {
  url: string;
  port: number;
  /** Creates an account. The key is not shown again. */
  createAccount(options: { name: string; plan: Plan }): Promise<{
    account_id: string;
    api_key: string;
  }>;
  /** Finishes the requests under way, ends the event streams and closes the database. */
  close(): Promise<void>;
}

export declare interface GembaServerOptions {
  /** The folder of the embedded database, which is made if it is missing. Photos are kept there, too. */
  dataDir: string;
  /** The URL of PostgreSQL. Default: the embedded database. */
  databaseUrl?: string;
  /** Default: 8080. 0 means any free port. */
  port?: number;
  /** The address to listen on. Default: `127.0.0.1`. */
  host?: string;
  /** The operator's token, 12 characters or more. Default: the operator routes are off. */
  adminToken?: string;
  /** Origins whose web apps may call the API from a browser. Default: none. */
  corsOrigins?: readonly string[];
  /** A certificate with its chain and its key, as PEM. Default: plain HTTP. */
  tls?: {
    cert: string;
    key: string;
  };
  /**
   * The folder of a built app, or `false` for the API alone, without app and guide. Default: the app of this package.
   */
  webDir?: string | false;
}

/** Starts a server. Rejects with an `Error` if the address is in use or the database cannot be opened. */
export declare function openServer({ port, host, webDir, ...options }: GembaServerOptions): Promise<GembaServer>;

/**
 * The plan of an account. The free plan limits the number of maps.
 *
 */
declare type Plan = 'free' | 'team';

export {};
