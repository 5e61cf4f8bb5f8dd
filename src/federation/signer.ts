import type { FastifyRequest } from 'fastify'
import type { Ctx } from '../domain/context.ts'
import { isDomainSuspended } from '../domain/moderation/domain-blocks.ts'
import { NotFound } from '../lib/errors.ts'
import { statement } from '../platform/db/statement.ts'
import { findKnownKey, findPublicKey } from './public-keys.ts'
import type { PublicKey } from './public-keys.ts'
import { isForeseen } from './remote/refusals.ts'
import { MalformedSignature } from './signatures/signature.ts'
import type { ReceivedRequest, Signature } from './signatures/signature.ts'
import { checkDigest, checkSignature, isSignedBy, parseSignature } from './signatures/verify.ts'
import { hostOf } from './wire/read.ts'

/** Who asks for a document. */
export interface Signer {
  /** The account that signed the request, if it is known here; null = anybody. */
  accountId: string | null
  /** The answer is made for this request alone, whoever it turned out to come from. */
  isSigned: boolean
}

const findAccount = statement<{
  params: { ownerUri: string }
  row: { id: string; domain: string | null; suspended: boolean }
}>(`select id, domain, suspended_at is not null as suspended from accounts where uri = $ownerUri`)
const findHost = statement<{ params: { domain: string } }>(`select from hosts where domain = $domain`)

/**
 * Finds out who signed a request for a document. A signature that does not hold counts as none: then only what
 * everybody may see is served. It is looked at before what is asked for, so that nothing of that shows in how.
 * @throws NotFound for hosts and people who are shut out here
 */
export async function findSigner(ctx: Ctx, request: FastifyRequest): Promise<Signer> {
  if (request.headers.signature === undefined) return { accountId: null, isSigned: false }
  const received: ReceivedRequest = {
    method: request.method,
    url: ctx.config.origin + request.raw.url,
    headers: request.headers,
    body: Buffer.alloc(0),
    now: ctx.now(),
  }
  const signature = read(received)
  if (!signature) return { accountId: null, isSigned: true }
  const domain = hostOf(signature.keyId)
  if (domain === null || (await isDomainSuspended(ctx, { domain }))) throw new NotFound()
  const ownerUri = await findOwner(ctx, { signature, received, domain, ip: request.ip })
  const [account] = ownerUri === null ? [] : await findAccount(ctx.db, { ownerUri })
  if (account?.suspended || (account?.domain != null && (await isDomainSuspended(ctx, { domain: account.domain })))) {
    throw new NotFound()
  }
  return { accountId: account?.id ?? null, isSigned: true }
}

function read(received: ReceivedRequest): Signature | null {
  try {
    const signature = parseSignature(received.headers)
    const fault = signature && (checkSignature(signature, received) ?? checkDigest(signature, received))
    return fault ? null : signature
  } catch (err) {
    if (err instanceof MalformedSignature) return null
    throw err
  }
}

/** The id of the actor whose key made the signature. */
async function findOwner(
  ctx: Ctx,
  { signature, received, domain, ip }: { signature: Signature; received: ReceivedRequest; domain: string; ip: string },
): Promise<string | null> {
  const { keyId } = signature
  const holds = (key: PublicKey) => isSignedBy(signature, { request: received, publicKey: key.publicKey })
  const known = await findKnownKey(ctx, { keyId })
  if (known && holds(known)) return known.ownerUri
  // Whoever may read more than everybody is of a host that we had to do with; for others no request is sent out.
  if ((await findHost(ctx.db, { domain })).length === 0) return null
  const found = await findPublicKey(ctx, { keyId, ip, isSignedBy: holds }).catch((err: unknown) => {
    if (isForeseen(err)) return null
    throw err
  })
  return found?.ownerUri ?? null
}
