/** Every bound of the service, once. The unit or qualifier stands last in the name. */

export const nameLengthMax = 200;
export const industryLengthMax = 100;
export const descriptionLengthMax = 10_000;
export const notesLengthMax = 10_000;
export const photoReferenceLengthMax = 2_000;
export const photosPerStepMax = 20;
export const stepsPerRecordingMax = 1_000;
/** A map with its stages is one document, written whole. */
export const stagesPerMapMax = 5_000;
export const durationSecsMax = 31_536_000;
export const stageTimeHrsMax = 1_000_000;
export const runsPerCompareMax = 50;
export const mapsOfFreePlanMax = 2;

/** Ids of stages and runs: the server's own stay below `clientIdMin`, those made on a device are at or above it. */
export const clientIdMin = 2 ** 31;
export const idMax = 2 ** 53 - 1;

export const pageLimitMax = 200;
export const pageLimitDefault = 50;
export const pullLimitMax = 1_000;
export const pullLimitDefault = 500;
export const mutationsPerPushMax = 10_000;
/** Answers that the store keeps behind the number that a client acknowledged: a copy of the device may ask for them. */
export const acknowledgedAnswersMax = 1_000;
/** That are not revoked. */
export const keysPerAccountMax = 100;
/** Open at once, of an account at a server process. */
export const eventStreamsPerAccountMax = 1_000;
/** A device needs one; an integration opens one a worker. */
export const eventStreamsPerDeviceMax = 20;
export const eventStreamsPerKeyMax = 100;
export const bodyBytesMax = 1024 * 1024;
export const pushBodyBytesMax = 8 * 1024 * 1024;
/** Anyone may send one, without a token. */
export const publicBodyBytesMax = 4 * 1024;
/** Levels of arrays and objects in a body; no request of ours has more than eight. */
export const jsonDepthMax = 32;
/** Different names of fields in a body; all requests of ours together have fewer than a hundred. */
export const jsonNamesMax = 1_000;
/** Values in a body: the most recordings that fit a push have 750,000. */
export const jsonValuesMax = 1_000_000;
/** Values of a mutation: a recording has at most 30,000. */
export const mutationValuesMax = 50_000;

/** The life of a pairing code, and how often it may be guessed at. */
export const pairingCodeSecsMax = 600;
export const pairingCodeLengthMax = 64;
/** Of an account, made within the life of a code and not yet used. */
export const pairingCodesPerAccountMax = 100;
export const pairingFailuresPerCodeMax = 5;
export const pairingFailuresPerAddressMax = 10;
export const pairingFailuresPerAddressSecs = 60;
/** Of a team plan whose operator set `additional_seats`, which come on top. */
export const phonesIncluded = 1;
