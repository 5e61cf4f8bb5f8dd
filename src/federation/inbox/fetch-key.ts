import type { Ctx } from '../../domain/context.ts'
import { BadRequest, TooManyRequests, Unauthorized, Unavailable } from '../../lib/errors.ts'
import { findPublicKey } from '../public-keys.ts'
import type { KeyClaim, PublicKey } from '../public-keys.ts'
import { isPassing } from '../remote/refusals.ts'

/** 401: the server of a key does not have it, or no longer. */
export class NoSuchKey extends Unauthorized {
  constructor() {
    super('There is no such key')
  }
}

/**
 * Finds the key that made the signature of a delivery while the sender waits, by asking its server if need be.
 * @throws NoSuchKey · Unauthorized when the key cannot be read or did not sign · Unavailable when it may be had later · Throttled
 */
export async function fetchKey(ctx: Ctx, claim: KeyClaim): Promise<PublicKey> {
  const key = await findPublicKey(ctx, claim).catch((err: unknown) => {
    if (err instanceof TooManyRequests || err instanceof Unavailable) throw err
    ctx.log.debug({ err }, 'key could not be fetched')
    if (isPassing(err)) throw new Unavailable('The key could not be fetched')
    if (err instanceof BadRequest) throw new Unauthorized('The key could not be read')
    throw new NoSuchKey()
  })
  if (!key) throw new Unauthorized('The signature is not by the key that it names')
  return key
}
