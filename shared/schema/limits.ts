/** The limits that schemas, device and server share. */

export const nameLengthMax = 200;
export const industryLengthMax = 100;
export const descriptionLengthMax = 10_000;
export const notesLengthMax = 10_000;
export const photoReferenceLengthMax = 2_000;
export const photosPerStepMax = 20;
export const thumbnailBytesMax = 24 * 1024;
export const tagLengthMax = 50;
export const tagsPerRunMax = 20;
export const exclusionReasonLengthMax = 1_000;
export const stepsPerRecordingMax = 1_000;
/** The stages are limited, since each write of a map rewrites one document with all of them. */
export const stagesPerMapMax = 5_000;
export const stepDurationSecsMax = 31_536_000;
/** How many earlier names of a stage a map keeps. */
export const stageAliasesMax = 10;
export const stageTimeHrsMax = 1_000_000;
export const runsPerCompareMax = 50;
export const mapsOfFreePlanMax = 2;

/** Ids of stages and runs: server-made ids are below `deviceMadeIdMin`, device-made ids are at or above it. */
export const deviceMadeIdMin = 2 ** 31;
export const idMax = 2 ** 53 - 1;

export const pageLimitMax = 200;
export const pageLimitDefault = 50;
export const pullLimitMax = 1_000;
export const pullLimitDefault = 500;
/**
 * The maximum of `runs_max` and `runs_per_map` in a device's scope. A first pull with `runs_max` brings at most this
 * many runs.
 */
export const runsPerScopeMax = 50_000;
export const scopeDaysMax = 36_500;
/** How many runs a device may load on demand in one request. */
export const runsPerLoadMax = 200;
/** How many run ids an export may name. The ids are part of the URL, which must not be too long. */
export const runsPerExportMax = 500;
export const mutationsPerPushMax = 10_000;
/**
 * The store keeps the acknowledged answers to at least this many of each client's latest sequence numbers, since a
 * copied device may ask for these answers.
 */
export const acknowledgedAnswersMax = 1_000;
/** How many API keys an account may have. Revoked keys do not count. */
export const keysPerAccountMax = 100;
/** How many event streams of an account may be open at one server process. */
export const eventStreamsPerAccountMax = 1_000;
/** A device needs one event stream. An integration, which has an API key, opens one for each of its workers. */
export const eventStreamsPerDeviceMax = 20;
export const eventStreamsPerKeyMax = 100;
export const bodyBytesMax = 1024 * 1024;
export const pushBodyBytesMax = 8 * 1024 * 1024;
/** Limits the body of a request without a token, which anyone may send. */
export const publicBodyBytesMax = 4 * 1024;
/** Limits the nested levels of arrays and objects in a body. No valid request has more than eight. */
export const jsonDepthMax = 32;
/** Limits the different field names of a body. All valid requests together use fewer than a hundred. */
export const jsonNamesMax = 1_000;
/** Limits the JSON values of a body. A push that is full of recordings has up to 750,000. */
export const jsonValuesMax = 1_000_000;
/** Limits the JSON values of a mutation. A recording has at most 30,000. */
export const mutationValuesMax = 50_000;

export const pairingCodeLifetimeSecs = 600;
export const pairingCodeLengthMax = 64;
/** How many unused, unexpired pairing codes an account may have. */
export const pairingCodesPerAccountMax = 100;
export const pairingFailuresPerCodeMax = 5;
export const pairingFailuresPerAddressMax = 10;
export const pairingFailuresPerAddressWindowSecs = 60;
/** How many phones a team plan includes before `additional_seats` are added. */
export const includedPhoneCount = 1;
