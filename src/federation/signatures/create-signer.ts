import type { SignRequest } from '../../platform/fetch/fetcher.ts'
import { signCavage } from './cavage.ts'
import type { SigningKey } from './keys.ts'
import { signMessage } from './rfc9421.ts'
import type { SignatureSpec } from './signature.ts'

/** Creates the function with which the fetcher signs its requests, by the scheme that the remote server accepts. */
export function createSigner({
  key,
  spec = 'cavage',
  now,
}: {
  key: SigningKey
  spec?: SignatureSpec
  now: () => Date
}): SignRequest {
  const signRequest = spec === 'cavage' ? signCavage : signMessage
  return async (request) => signRequest(request, { key, now: now() })
}
