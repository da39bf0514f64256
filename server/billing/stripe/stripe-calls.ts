/**
 * Sends requests to Stripe and sorts its errors. An outage ends by itself. A refusal lasts until the operator changes
 * something. An unknown id is neither.
 */
import type Stripe from 'stripe';
import { BillingRefused, BillingUnavailable } from '../billing.ts';

type StripeErrors = typeof Stripe.errors;

/**
 * Limits the attempts of one request. Each failure that Stripe has stored for the request costs an attempt. Each
 * repeat by a client usually adds one failure, and clients seldom repeat a request this often.
 */
export const attemptsMax = 20;

interface KeyedRequest<Result> {
  key: string;
  send: (options: { idempotencyKey: string }) => Promise<Stripe.Response<Result>>;
  /** Returns false if a result that Stripe stored is outdated. Default: stored results stay current. */
  isCurrent?: (result: Result) => Promise<boolean>;
  /** Returns true if a refused request would now have other content, and so may be sent again. Default: false. */
  isOvertaken?: () => Promise<boolean>;
}

export interface StripeCalls {
  /** Converts each error of Stripe into a `BillingFailure`, whose message is for the log. */
  call<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Returns undefined if Stripe knows no such id. Other refusals, such as a key of the wrong mode, throw. */
  callIfKnown<Result>(work: () => Promise<Result>): Promise<Result | undefined>;
  /**
   * Makes a request take effect once. Stripe stores each answer, also a failure, under the request's key for 24 hours.
   * A lost answer is fetched by the same key. After a stored failure, the next attempt has another key.
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

    callIfKnown: (work) =>
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

/** 409: another request with the same key is under way. 429: there are too many requests. Both end by themselves. */
const temporaryRefusalStatuses = [409, 429];

function failureOf(error: Stripe.errors.StripeError): BillingUnavailable | BillingRefused {
  const { statusCode, message } = error;
  const isPassing = statusCode === undefined || statusCode >= 500 || temporaryRefusalStatuses.includes(statusCode);
  if (isPassing) return new BillingUnavailable(`Stripe: ${message}`, { cause: error });
  const code = error.code ?? error.rawType ?? String(statusCode);
  return new BillingRefused(`Stripe: ${statusCode} ${code}: ${message}`, { code, cause: error });
}
