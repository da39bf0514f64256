import type { PushRequest } from '../../shared/protocol/push.ts';

/** Removes `sent_at` from a sealed push, whose time on the way would look like an error of the device's clock. */
export function withoutSentAt({ sent_at: _sentAt, ...request }: PushRequest): PushRequest {
  return request;
}
