import type { PushRequest } from '../../shared/protocol/push.ts';

/** The time that a sealed push was under way would look like an error of the device's clock. */
export function withoutSentAt({ sent_at: _sentAt, ...request }: PushRequest): PushRequest {
  return request;
}
