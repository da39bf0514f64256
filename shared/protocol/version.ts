/** The version of the sync protocol in this code, sent in the header `Gemba-Protocol`. */
export const protocolVersion = 1;
/** The oldest version that the server accepts. A client with an older version gets 426 and keeps its outbox. */
export const protocolVersionMin = 1;
export const protocolHeader = 'Gemba-Protocol';
/**
 * The version of the app and the server in this code, equal to the one in package.json. Devices report this version.
 */
export const appVersion = '0.1.0';

/** The header with the cursor of the next page, for pulls and for runs on demand. It arrives before the body. */
export const nextCursorHeader = 'Gemba-Next-Cursor';
