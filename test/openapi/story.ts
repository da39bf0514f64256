/**
 * The examples of the document in an order that works: a record is created before it is read. All examples belong to one
 * account.
 */
import {
  exampleAccountId,
  exampleCheckoutUrl,
  examplePairingCode,
  exampleEpoch,
  exampleEventCursors,
  exampleEventIds,
  exampleSecrets,
  exampleWebhookId,
  exampleFirstKeyId,
  exampleKeyId,
  exampleOrderMapId,
  exampleRecordedMapId,
  exampleRelayKeys,
} from '../../server/http/routes/example-ids.ts';

export interface Scene {
  operationId: string;
  example: string;
  /**
   * JSON Pointers to the ids and codes in the answer that the server made, by those that the document shows instead.
   */
  learn?: Record<string, string>;
  /** The answer is the document itself, or a file with ids of its own, so it is no example. */
  unrecorded?: true;
  /** A person pays the checkout that was begun before. */
  afterPayment?: true;
}

export const story: Scene[] = [
  { operationId: 'getHealth', example: 'plain' },
  { operationId: 'getReadiness', example: 'plain' },
  {
    operationId: 'createAccount',
    example: 'plain',
    learn: { [exampleAccountId]: '/account/id', [exampleSecrets.firstKey]: '/api_key' },
  },
  { operationId: 'updateAccount', example: 'plain' },

  { operationId: 'createMap', example: 'plain', learn: { [exampleOrderMapId]: '/id' } },
  { operationId: 'createMap', example: 'ownId' },
  { operationId: 'listMaps', example: 'filtered' },
  { operationId: 'updateMap', example: 'rename' },
  { operationId: 'deleteMap', example: 'plain' },
  { operationId: 'listMaps', example: 'recycleBin' },
  { operationId: 'restoreMap', example: 'plain' },

  { operationId: 'addStage', example: 'append' },
  { operationId: 'addStage', example: 'nameOnly' },
  { operationId: 'addStage', example: 'deprecated' },
  { operationId: 'addStage', example: 'insert' },
  { operationId: 'updateStage', example: 'classify' },
  { operationId: 'reorderStages', example: 'plain' },
  { operationId: 'listStages', example: 'plain' },
  { operationId: 'getMap', example: 'plain' },
  { operationId: 'deleteStage', example: 'plain' },
  { operationId: 'replaceStages', example: 'keepIds' },

  { operationId: 'uploadRecording', example: 'plain' },
  { operationId: 'uploadRecording', example: 'header' },
  { operationId: 'uploadRecording', example: 'merge' },
  { operationId: 'recordNewMap', example: 'plain', learn: { [exampleRecordedMapId]: '/map/id' } },
  { operationId: 'listRuns', example: 'plain' },
  { operationId: 'listRuns', example: 'july' },
  { operationId: 'getRun', example: 'plain' },
  { operationId: 'compareRuns', example: 'plain' },
  { operationId: 'compareRuns', example: 'study' },
  { operationId: 'updateRun', example: 'exclude' },
  { operationId: 'correctRun', example: 'split' },
  {
    operationId: 'listEvents',
    example: 'recordings',
    learn: {
      [exampleFirstKeyId]: '/data/0/actor/id',
      [exampleEventIds.first]: '/data/0/id',
      [exampleEventIds.second]: '/data/1/id',
      [exampleEventCursors.second]: '/next_cursor',
    },
  },
  { operationId: 'listEvents', example: 'latest', learn: { [exampleEventCursors.latest]: '/next_cursor' } },
  {
    operationId: 'createWebhook',
    example: 'plain',
    learn: { [exampleWebhookId]: '/webhook/id', [exampleSecrets.webhookSecret]: '/secret' },
  },
  { operationId: 'listWebhooks', example: 'plain' },
  { operationId: 'getWebhook', example: 'plain' },
  { operationId: 'updateWebhook', example: 'plain' },
  { operationId: 'rotateWebhookSecret', example: 'plain', learn: { [exampleSecrets.newWebhookSecret]: '/secret' } },
  { operationId: 'replayWebhook', example: 'plain' },
  { operationId: 'listWebhookDeliveries', example: 'plain' },
  { operationId: 'deleteWebhook', example: 'plain' },
  { operationId: 'exportStepsCsv', example: 'july', unrecorded: true },
  { operationId: 'exportRunsCsv', example: 'plain', unrecorded: true },
  { operationId: 'exportXes', example: 'one', unrecorded: true },
  { operationId: 'exportOcel', example: 'one', unrecorded: true },
  { operationId: 'drawValueStream', example: 'german', unrecorded: true },
  { operationId: 'deleteRun', example: 'plain' },

  { operationId: 'createPairingCode', example: 'wearable', learn: { [examplePairingCode]: '/code' } },
  { operationId: 'askPairingCodeAccount', example: 'watch' },
  {
    operationId: 'pairDevice',
    example: 'watch',
    learn: { [exampleSecrets.device]: '/token', [exampleRelayKeys]: '/relay_keys' },
  },
  { operationId: 'listDevices', example: 'plain' },
  { operationId: 'listDevices', example: 'worst' },
  { operationId: 'getAccount', example: 'plain' },
  { operationId: 'updateDevice', example: 'rename' },
  { operationId: 'revokeDevice', example: 'plain' },
  {
    operationId: 'createKey',
    example: 'reader',
    learn: {
      [exampleKeyId]: '/key/id',
      [exampleFirstKeyId]: '/key/created_by/id',
      [exampleSecrets.newKey]: '/api_key',
      '1111': '/key/last_four',
    },
  },
  { operationId: 'listKeys', example: 'plain', learn: { '0000': '/data/1/last_four' } },
  { operationId: 'revokeKey', example: 'plain' },

  { operationId: 'syncPush', example: 'plain' },
  { operationId: 'syncPull', example: 'plain', learn: { [exampleEpoch]: '/epoch' } },
  { operationId: 'syncRuns', example: 'plain' },
  { operationId: 'syncEvents', example: 'plain' },
  { operationId: 'getRelayKeys', example: 'plain', unrecorded: true },
  { operationId: 'getOhttpGateway', example: 'plain', unrecorded: true },

  { operationId: 'getOpenApi', example: 'plain', unrecorded: true },
  { operationId: 'getReference', example: 'plain', unrecorded: true },
  { operationId: 'declarePhoto', example: 'plain' },
  { operationId: 'listAwaitedPhotos', example: 'plain' },
  { operationId: 'getBilling', example: 'plain' },
  { operationId: 'beginCheckout', example: 'plain', learn: { [exampleCheckoutUrl]: '/url' } },
  { operationId: 'changeSeats', example: 'plain', afterPayment: true },

  { operationId: 'importSteps', example: 'dryRun' },
  { operationId: 'importSteps', example: 'plain' },
];
