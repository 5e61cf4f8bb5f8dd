import type { SignRequest } from '../../platform/fetch.ts'
import { signCavage } from './cavage.ts'
import type { SigningKey } from './keys.ts'
import { signMessage } from './rfc9421.ts'
import type { SignatureSpec } from './signature.ts'

/** What the fetcher needs to sign its requests with a key, in the way that the other side understands. */
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
