/** The package's entry `gemba/relay`, for carriers and for devices that hand over to them. */
export { createCarrier, type Carrier } from '../carrier.ts';
export { createHandOver, type HandOver } from '../hand-over.ts';
export {
  answerChannel,
  offerChannel,
  sessionCodeKind,
  type ChannelAnswer,
  type OfferedChannel,
  type PeerOptions,
} from '../relay/peer-channel.ts';
export type { ByteChannel } from '../relay/frame-link.ts';
export type {
  CarryProgress,
  CarryResult,
  Carrying,
  CodeProgress,
  CodeReader,
  ReadCode,
} from '../relay/carrier-verbs.ts';
export type { HeldByCarrier } from '../open-hand-over.ts';
export type { HandOverProgress, HandOverResult } from '../hand-over/meeting.ts';
export type { ReceiptEntry, ReceiptOutcome } from '../hand-over/receipts.ts';
export type { NotShown, ShownCodes } from '../hand-over/shown-codes.ts';
