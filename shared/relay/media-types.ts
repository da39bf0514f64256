/** The media types of Oblivious HTTP (RFC 9458, 9), and the header and the size limits of the relay. */
export const keyListMediaType = 'application/ohttp-keys';
export const sealedRequestMediaType = 'message/ohttp-req';
export const sealedAnswerMediaType = 'message/ohttp-res';

/**
 * The header of an inner response with the server's current keys, as base64url. The server adds it if the request was
 * sealed to an older key.
 */
export const relayKeysHeader = 'gemba-relay-keys';

/** The shortest sealed request: header, X25519 key and tag, without content. */
export const sealedRequestBytesMin = 55;
/** The longest sealed request: 1 MiB of a photo, with its headers and its encryption. */
export const sealedRequestBytesMax = 1_088 * 1024;
/** The longest sealed answer that devices accept and carriers read. */
export const sealedAnswerBytesMax = 16 * 1024 * 1024;
/** The shortest sealed answer: nonce and tag, without content. */
export const sealedAnswerBytesMin = 32;
