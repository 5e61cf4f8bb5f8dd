import type { Ctx } from '../../../domain/context.ts'
import {
  BadRequestError,
  TooManyRequestsError,
  UnauthorizedError,
  ServiceUnavailableError,
} from '../../../lib/errors.ts'
import { findPublicKey } from '../../keys/find-public-key.ts'
import type { KeyClaim, PublicKey } from '../../keys/find-public-key.ts'
import { isTemporary } from '../../remote/fetch/remote-errors.ts'

/** 401: the server of a key does not have it (any more). */
export class KeyNotFoundError extends UnauthorizedError {
  constructor() {
    super('There is no such key')
  }
}

/**
 * Finds the key that made the signature of a delivery, and fetches it from its server if need be, while the sender
 * waits.
 * @throws KeyNotFoundError · UnauthorizedError if the key cannot be parsed or did not make the signature ·
 *   ServiceUnavailableError after a temporary failure · ThrottledError
 */
export async function fetchKey(ctx: Ctx, claim: KeyClaim): Promise<PublicKey> {
  const key = await findPublicKey(ctx, claim).catch((err: unknown) => {
    if (err instanceof TooManyRequestsError || err instanceof ServiceUnavailableError) throw err
    ctx.log.debug({ err }, 'Key could not be fetched')
    if (isTemporary(err)) throw new ServiceUnavailableError('The key could not be fetched')
    if (err instanceof BadRequestError) throw new UnauthorizedError('The key could not be read')
    throw new KeyNotFoundError()
  })
  if (!key) throw new UnauthorizedError('The signature is not by the key that it names')
  return key
}
