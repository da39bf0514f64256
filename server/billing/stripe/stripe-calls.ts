/**
 * Sends requests to Stripe, and sorts what comes back: an outage passes, a refusal lasts until the operator changes
 * something, and an id that is unknown is neither.
 */
import type Stripe from 'stripe';
import { BillingRefused, BillingUnavailable } from '../billing.ts';

type StripeErrors = typeof Stripe.errors;

/** Bounds the stored failures of one key: clients seldom repeat more often. */
export const attemptsMax = 20;

interface KeyedRequest<Result> {
  key: string;
  send: (options: { idempotencyKey: string }) => Promise<Stripe.Response<Result>>;
  /** Tells whether a stored result still helps. Default: it does. */
  isCurrent?: (result: Result) => Promise<boolean>;
  /** Tells whether a refused request would be another one now. Default: it would not. */
  isOvertaken?: () => Promise<boolean>;
}

export interface StripeCalls {
  /** Turns each error of Stripe into one of the interface, whose message is for the log. */
  call<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Returns undefined if Stripe knows no such id. Other refusals, such as a key of the wrong mode, throw. */
  callIfThere<Result>(work: () => Promise<Result>): Promise<Result | undefined>;
  /**
   * Stripe stores each answer under the request's key for 24 hours, also a failure. A lost answer is asked for under the same
   * key, so that the request takes effect once, and a stored failure is left behind by the next attempt's key.
   */
  callOnce<Result>(request: KeyedRequest<Result>): Promise<Result>;
}

export function createStripeCalls(errors: StripeErrors): StripeCalls {
  const call = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    try {
      return await work();
    } catch (error) {
      throw error instanceof errors.StripeError ? failureOf(error) : error;
    }
  };

  const isStored = (error: unknown): boolean =>
    error instanceof errors.StripeError &&
    (isReplay(error.headers) || (error.type === 'StripeIdempotencyError' && error.statusCode === 400));

  const isRefused = (error: unknown): boolean =>
    error instanceof errors.StripeError && failureOf(error) instanceof BillingRefused;

  return {
    call,

    callIfThere: (work) =>
      call(() =>
        work().catch((error: unknown) => {
          if (error instanceof errors.StripeError && error.code === 'resource_missing') return undefined;
          throw error;
        }),
      ),

    callOnce: ({ key, send, isCurrent = async () => true, isOvertaken = async () => false }) =>
      call(async () => {
        for (let attempt = 0; attempt < attemptsMax; attempt++) {
          try {
            const result = await send({ idempotencyKey: attempt === 0 ? key : `${key}.${attempt}` });
            if (!isReplay(result.lastResponse.headers) || (await isCurrent(result))) return result;
          } catch (error) {
            const helpsNobody = isStored(error) || (isRefused(error) && (await isOvertaken()));
            if (!helpsNobody) throw error;
          }
        }
        throw new BillingUnavailable(`Stripe stored ${attemptsMax} answers of one request that do not help`);
      }),
  };
}

function isReplay(headers: Record<string, string> | undefined): boolean {
  return headers?.['idempotent-replayed'] === 'true';
}

/** Requests that met another one under way (409) or were too many (429) may come again, as after an outage. */
const passingStatuses = [409, 429];

function failureOf(error: Stripe.errors.StripeError): BillingUnavailable | BillingRefused {
  const { statusCode, message } = error;
  const isPassing = statusCode === undefined || statusCode >= 500 || passingStatuses.includes(statusCode);
  if (isPassing) return new BillingUnavailable(`Stripe: ${message}`, { cause: error });
  const code = error.code ?? error.rawType ?? String(statusCode);
  return new BillingRefused(`Stripe: ${statusCode} ${code}: ${message}`, { code, cause: error });
}
