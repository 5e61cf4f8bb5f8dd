import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import { statement } from '../../../platform/db/statement.ts'
import type { Config } from '../../../platform/config/config.ts'
import type { Ctx, Tx } from '../../context.ts'
import { readChallenge, useChallenge } from './passkey-challenges.ts'
import type { ChallengeUse, IssuedChallenge } from './passkey-challenges.ts'

/** No response of an authenticator is longer; a credential id has at most 1023 bytes (WebAuthn §4). */
const MAX_RESPONSE_CHARACTERS = 16_384
const MAX_CREDENTIAL_ID_BYTES = 1_023

const TRANSPORTS = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb']

/** EdDSA, ES256 and RS256 (COSE), the best first. */
export const PASSKEY_ALGORITHMS = [-8, -7, -257]

/** A passkey that a browser created for a user. */
interface VerifiedRegistration {
  readonly credentialId: Buffer
  readonly publicKey: Buffer
  readonly signCount: number
  readonly transports: readonly string[]
  readonly challenge: IssuedChallenge
}

/** An answer of a passkey that is right, but whose challenge may have been answered before. */
export interface VerifiedPasskey {
  readonly passkeyId: string
  readonly userId: string
  readonly signCount: number
  readonly challenge: IssuedChallenge
}

interface PasskeyRow {
  id: string
  userId: string
  publicKey: Buffer
  userHandle: Buffer
  signCount: number
}

const find = statement<{ params: { credentialId: Buffer }; row: PasskeyRow; notNull: 'signCount' }>(
  `select id, user_id as "userId", public_key as "publicKey", user_handle as "userHandle",
     sign_count::double precision as "signCount" from passkeys where credential_id = $credentialId`,
)
// A counter that does not increase reveals a copy of the authenticator. Many authenticators do not count: 0.
const use = statement<{ params: { id: string; signCount: number; now: Date }; row: { id: string } }>(
  `update passkeys set sign_count = $signCount::bigint, last_used_at = $now
   where id = $id and (sign_count < $signCount::bigint or (sign_count = 0 and $signCount::bigint = 0)) returning id`,
)

/** The id of this server for passkeys (WebAuthn: RP ID): the host of its pages, without a port. */
export function relyingPartyIdOf({ origin }: Pick<Config, 'origin'>): string {
  return new URL(origin).hostname
}

/** Verifies the response of a browser that created a passkey (WebAuthn §7.1); null if it is not right. */
export async function verifyRegistration(
  ctx: Ctx,
  { userId, csrf, credential }: { userId: string; csrf: string; credential: string },
): Promise<VerifiedRegistration | null> {
  const [{ verifyRegistrationResponse }, { decodeAttestationObject, isoBase64URL }] = await Promise.all([
    import('@simplewebauthn/server'),
    import('@simplewebauthn/server/helpers'),
  ])
  const response = parse(credential) as RegistrationResponseJSON | null
  return nullIfInvalid(async () => {
    if (!response) return null
    // Other statements contain certificates, whose revocation lists would be fetched. Pages do not request them.
    const attestation = decodeAttestationObject(isoBase64URL.toBuffer(response.response.attestationObject))
    const statementOf = attestation.get('attStmt')
    if (attestation.get('fmt') !== 'none' && (attestation.get('fmt') !== 'packed' || statementOf.get('x5c')))
      return null
    const reader = createChallengeReader(ctx, { purpose: 'register', userId, csrf })
    const result = await verifyRegistrationResponse({
      response,
      expectedChallenge: reader.isExpected,
      expectedOrigin: ctx.config.origin,
      expectedRPID: relyingPartyIdOf(ctx.config),
      requireUserVerification: false,
      supportedAlgorithmIDs: PASSKEY_ALGORITHMS,
    })
    if (!result.verified || !reader.issued) return null
    const { id, publicKey, counter } = result.registrationInfo.credential
    const credentialId = Buffer.from(id, 'base64url')
    if (credentialId.length > MAX_CREDENTIAL_ID_BYTES) return null
    const sent: unknown = response.response.transports
    return {
      credentialId,
      publicKey: Buffer.from(publicKey),
      signCount: counter,
      transports: TRANSPORTS.filter((transport) => Array.isArray(sent) && sent.includes(transport)),
      challenge: reader.issued,
    }
  })
}

/**
 * Verifies the answer of a passkey to a challenge (WebAuthn §7.2); null if it is not right, or if the passkey belongs to
 * another user. `credential`: the response of the browser as JSON (WebAuthn: AuthenticationResponseJSON). A passkey that
 * is the only factor must have verified the user, by a PIN or biometrics.
 */
export async function verifyPasskey(
  ctx: Ctx,
  { credential, use: challengeUse }: { credential: string; use: ChallengeUse },
): Promise<VerifiedPasskey | null> {
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
  const response = parse(credential) as AuthenticationResponseJSON | null
  const passkey = await findPasskey(ctx, response?.id)
  if (!response || !passkey || (challengeUse.userId !== null && challengeUse.userId !== passkey.userId)) return null
  return nullIfInvalid(async () => {
    const userHandle = response.response.userHandle ?? null
    const isUserKnown = challengeUse.userId !== null && userHandle === null
    if (!isUserKnown && userHandle !== passkey.userHandle.toString('base64url')) return null
    const reader = createChallengeReader(ctx, challengeUse)
    const result = await verifyAuthenticationResponse({
      response,
      expectedChallenge: reader.isExpected,
      expectedOrigin: ctx.config.origin,
      expectedRPID: relyingPartyIdOf(ctx.config),
      requireUserVerification: challengeUse.purpose === 'log in',
      credential: { id: response.id, publicKey: new Uint8Array(passkey.publicKey), counter: passkey.signCount },
    })
    if (!result.verified || !reader.issued) return null
    const signCount = result.authenticationInfo.newCounter
    return { passkeyId: passkey.id, userId: passkey.userId, signCount, challenge: reader.issued }
  })
}

/** Uses the answer of a passkey. Returns false if its challenge was answered before, or the passkey was removed. */
export async function usePasskey(tx: Tx, { passkeyId, signCount, challenge }: VerifiedPasskey): Promise<boolean> {
  if (!(await useChallenge(tx, challenge))) return false
  return (await use(tx.db, { id: passkeyId, signCount, now: tx.now })).length > 0
}

function createChallengeReader(ctx: Ctx, challengeUse: ChallengeUse) {
  const reader = {
    issued: null as IssuedChallenge | null,
    isExpected: (challenge: string) => {
      reader.issued = readChallenge(ctx, { challenge, use: challengeUse })
      return reader.issued !== null
    },
  }
  return reader
}

async function findPasskey(ctx: Ctx, id: unknown): Promise<PasskeyRow | null> {
  if (typeof id !== 'string') return null
  const [row] = await find(ctx.db, { credentialId: Buffer.from(id, 'base64url') })
  return row ?? null
}

/** Returns a JSON object; null for other texts. */
function parse(credential: string): object | null {
  if (credential.length > MAX_RESPONSE_CHARACTERS) return null
  try {
    const response: unknown = JSON.parse(credential)
    return typeof response === 'object' ? response : null
  } catch {
    return null
  }
}

/** Returns null for a response that is not right: the library throws an error for whatever is wrong in it. */
async function nullIfInvalid<T>(verify: () => Promise<T | null>): Promise<T | null> {
  return verify().catch(() => null)
}
