/** The version of the sync protocol that this code speaks; it travels in the header `Gemba-Protocol`. */
export const protocolVersion = 1;
/** The oldest version that the server accepts. An older client gets 426 and keeps its outbox. */
export const protocolVersionMin = 1;
export const protocolHeader = 'Gemba-Protocol';
