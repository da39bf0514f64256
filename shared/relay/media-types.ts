/** The media types of Oblivious HTTP (RFC 9458, 9), and the names and limits of the relay. */
export const keyListMediaType = 'application/ohttp-keys';
export const sealedRequestMediaType = 'message/ohttp-req';
export const sealedAnswerMediaType = 'message/ohttp-res';

/** A sealed answer to an older key brings the present ones in this field, as base64url. */
export const relayKeysHeader = 'gemba-relay-keys';

/** Header, X25519 key and tag of an empty request. */
export const sealedRequestBytesMin = 55;
/** A push of 896 KiB and what surrounds it. */
export const sealedRequestBytesMax = 1_088 * 1024;
/** Devices refuse a longer sealed answer, so carriers stop reading here. */
export const sealedAnswerBytesMax = 16 * 1024 * 1024;
/** Nonce and tag. */
export const sealedAnswerBytesMin = 32;
