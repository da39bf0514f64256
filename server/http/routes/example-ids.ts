/**
 * The ids in the examples of the API document. The examples build on each other. A test sends the examples to a server.
 * If the server generates an id, the test replaces the generated id by the id of this file.
 */

export const exampleOrderMapId = '018f9e4a-2b6c-7d31-8a55-3c1f0e9d7b42';
export const exampleFutureMapId = '018f9e4a-3d10-7c8e-9b21-6f4a2d8c5e07';
export const exampleRecordedMapId = '018f9e4a-4e55-7b90-a3d7-1b9c8e7f6a35';
export const exampleAccountId = '018f9e4a-0a01-7f22-8c44-5d6e7f809a1b';
export const exampleClientId = '6b1f3c52-8d4e-4f6a-9c07-2e5d8b1a4f93';
export const exampleSyncMapId = '0c9a7e18-3b5d-4c62-8f1e-7d2a6b4c9e50';

/** The server takes these ids from one counter of the account, so each replay of the examples gets the same ids. */
export const exampleStageIds = { print: 1, pick: 2, pack: 3, check: 4 };
export const exampleRunIds = { first: 5, second: 9, recorded: 13 };

export const examplePhotoId = 'sha256:5d41402abc4b2a76b9719d911017c592ae0b1d3f0c6e5f7a8b9c0d1e2f3a4b5c';

export const firstRecordingSessionId = 'walk-2026-07-01-a';
export const secondRecordingSessionId = 'walk-2026-07-01-b';
export const mergedRecordingSessionId = 'pick-and-pack-2026-07-02-packing';

export const exampleEventIds = {
  first: 'evt_AY-eSgoBfyKMRF1uf4CaGwAAAAAAAAAJ',
  second: 'evt_AY-eSgoBfyKMRF1uf4CaGwAAAAAAAAAQ',
};
export const exampleWebhookId = '018f9e4a-7d02-7a3b-9c45-6e7f8a9b0c1d';
export const exampleEventCursors = { second: 'MTYuNWUyYjlkMDQ', latest: 'MTkuNWUyYjlkMDQ' };

export const exampleCheckoutUrl = 'https://checkout.stripe.com/c/pay/cs_live_EXAMPLE';

export const exampleEpoch = '5e2b9d04-7a61-4c3f-b8e0-1f6d3a9c2b57';
export const exampleDeviceId = '4d7f0a92-1c3e-4b8a-9e65-8a2c7d5f1b30';
export const examplePairingCode = '7KQ2-M4XD';
/** The keys of a server as base64url: the public key of RFC 9458, appendix A. */
export const exampleRelayKeys = 'AC0BACAx4fBadAECEVIg6a-Rj3OGdK7JX1TbbgTrcFqujnmBVQAIAAEAAQABAAM';
export const exampleKeyId = '018f9e4a-6c01-7d9b-8e12-4f5a6b7c8d9e';
export const exampleFirstKeyId = '018f9e4a-0a02-7c51-9d3e-2b4c6d8e0f12';
export const exampleSecrets = {
  firstKey: 'gk_EXAMPLE-shown-once-00000000000000000000000',
  newKey: 'gk_EXAMPLE-shown-once-11111111111111111111111',
  device: 'gd_EXAMPLE-shown-once-22222222222222222222222',
  webhookSecret: 'whsec_EXAMPLE0shown0once00000000000000000000000=',
  newWebhookSecret: 'whsec_EXAMPLE0shown0once11111111111111111111111=',
};
