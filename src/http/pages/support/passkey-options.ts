import { listPasskeys, userHandleOf } from '../../../domain/auth/two-factor/passkeys.ts'
import type { Passkey } from '../../../domain/auth/two-factor/passkeys.ts'
import { issueChallenge } from '../../../domain/auth/two-factor/passkey-challenges.ts'
import type { ChallengeUse } from '../../../domain/auth/two-factor/passkey-challenges.ts'
import { PASSKEY_ALGORITHMS, relyingPartyIdOf } from '../../../domain/auth/two-factor/verify-passkey.ts'
import type { Ctx } from '../../../domain/context.ts'

/** How long browsers wait for the user. */
const TIMEOUT_MS = 120_000

/** Returns the options of a page for the CSRF token of its forms. */
export type PasskeyOptions = (csrf: string) => object

/**
 * Returns the options to create a passkey (WebAuthn: PublicKeyCredentialCreationOptionsJSON). A security key that can
 * neither store a passkey nor verify the user is accepted, too, as a second factor.
 */
export async function creationOptionsFor(
  ctx: Ctx,
  { userId, username, site }: { userId: string; username: string; site: string },
): Promise<PasskeyOptions> {
  const [passkeys, userHandle] = await Promise.all([listPasskeys(ctx, { userId }), userHandleOf(ctx, { userId })])
  return (csrf) => ({
    rp: { id: relyingPartyIdOf(ctx.config), name: site },
    user: { id: userHandle.toString('base64url'), name: username, displayName: username },
    challenge: issueChallenge(ctx, { purpose: 'register', userId, csrf }),
    pubKeyCredParams: PASSKEY_ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
    timeout: TIMEOUT_MS,
    excludeCredentials: passkeys.map(descriptorOf),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
    attestation: 'none',
  })
}

/** Returns the options to log in by a passkey alone (WebAuthn: PublicKeyCredentialRequestOptionsJSON). */
export function logInOptionsFor(ctx: Ctx): PasskeyOptions {
  return (csrf) => requestOptions(ctx, { use: { purpose: 'log in', userId: null, csrf }, verification: 'required' })
}

/** Returns the options to prove the identity of a user by a passkey; null if the user has none. */
export async function requestOptionsFor(
  ctx: Ctx,
  { userId, purpose }: { userId: string; purpose: 'second factor' | 'confirm' },
): Promise<PasskeyOptions | null> {
  const passkeys = await listPasskeys(ctx, { userId })
  if (passkeys.length === 0) return null
  return (csrf) => ({
    ...requestOptions(ctx, { use: { purpose, userId, csrf }, verification: 'preferred' }),
    allowCredentials: passkeys.map(descriptorOf),
  })
}

function requestOptions(ctx: Ctx, { use, verification }: { use: ChallengeUse; verification: string }): object {
  return {
    rpId: relyingPartyIdOf(ctx.config),
    challenge: issueChallenge(ctx, use),
    timeout: TIMEOUT_MS,
    userVerification: verification,
  }
}

function descriptorOf({ credentialId, transports }: Passkey): object {
  return { type: 'public-key', id: credentialId, transports }
}
