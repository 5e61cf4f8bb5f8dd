import type { FastifyRequest } from 'fastify'
import type { Ctx } from '../../domain/context.ts'
import { isFederating } from '../../domain/domain-blocks/federating-domain.ts'
import { NotFoundError, ServiceUnavailableError } from '../../lib/errors.ts'
import { statement } from '../../platform/db/statement.ts'
import { findKnownKey, findPublicKey } from './find-public-key.ts'
import type { PublicKey } from './find-public-key.ts'
import { isExpectedFailure, isTemporary } from '../remote/fetch/remote-errors.ts'
import { MalformedSignatureError } from '../signatures/signature.ts'
import type { ReceivedRequest, Signature } from '../signatures/signature.ts'
import { checkDigest, checkSignature, isSignedBy, parseSignature } from '../signatures/verify.ts'
import { hostOf } from '../wire/read-values.ts'

/** The signer of a request for a document. */
export interface RequestSigner {
  /** The account that signed the request, if it is known; null for an anonymous request. */
  accountId: string | null
  /** The request has a signature, valid or not, so shared caches must not store the response. */
  isSigned: boolean
  /** The id of the actor whose key made the signature; null without a valid signature. */
  actorUri: string | null
}

const findAccount = statement<{
  params: { ownerUri: string }
  row: { id: string; domain: string | null; suspended: boolean }
}>(`select id, domain, suspended_at is not null as suspended from accounts where uri = $ownerUri`)
const findHost = statement<{ params: { domain: string } }>(`select from hosts where domain = $domain`)

/**
 * Identifies the signer of a request for a document. A request with an invalid signature counts as anonymous: it gets
 * only publicly visible documents, or none with authorized fetch. This is called before the document is looked up, so
 * that the outcome of the verification reveals nothing about the document.
 * @throws NotFoundError for suspended accounts and for hosts with which this server does not federate ·
 *   ServiceUnavailableError with authorized fetch, if a key could not be fetched for the moment
 */
export async function findSigner(ctx: Ctx, request: FastifyRequest): Promise<RequestSigner> {
  if (request.headers.signature === undefined) return { accountId: null, isSigned: false, actorUri: null }
  const received: ReceivedRequest = {
    method: request.method,
    url: ctx.config.origin + request.raw.url,
    headers: request.headers,
    body: Buffer.alloc(0),
    now: ctx.now(),
  }
  const signature = readValidSignature(received)
  if (!signature) return { accountId: null, isSigned: true, actorUri: null }
  const domain = hostOf(signature.keyId)
  if (domain === null || !(await isFederating(ctx, { domain }))) throw new NotFoundError()
  const ownerUri = await findKeyOwner(ctx, { signature, received, domain, ip: request.clientIp })
  const [account] = ownerUri === null ? [] : await findAccount(ctx.db, { ownerUri })
  if (account?.suspended || (account?.domain != null && !(await isFederating(ctx, { domain: account.domain })))) {
    throw new NotFoundError()
  }
  return { accountId: account?.id ?? null, isSigned: true, actorUri: ownerUri }
}

function readValidSignature(received: ReceivedRequest): Signature | null {
  try {
    const signature = parseSignature(received.headers)
    const error = signature && (checkSignature(signature, received) ?? checkDigest(signature, received))
    return error ? null : signature
  } catch (err) {
    if (err instanceof MalformedSignatureError) return null
    throw err
  }
}

/** Returns the id of the actor whose key made the signature; null if no known or fetched key did. */
async function findKeyOwner(
  ctx: Ctx,
  { signature, received, domain, ip }: { signature: Signature; received: ReceivedRequest; domain: string; ip: string },
): Promise<string | null> {
  const { keyId } = signature
  const isSignedByKey = (key: PublicKey) => isSignedBy(signature, { request: received, publicKey: key.publicKey })
  const known = await findKnownKey(ctx, { keyId })
  if (known && isSignedByKey(known)) return known.ownerUri
  const { authorizedFetch } = ctx.config.access
  // Only actors of known hosts can see more than the public, so no key is fetched from any other host, unless
  // anonymous requests see nothing.
  if (!authorizedFetch && (await findHost(ctx.db, { domain })).length === 0) return null
  const found = await findPublicKey(ctx, { keyId, ip, isSignedBy: isSignedByKey }).catch((err: unknown) => {
    if (authorizedFetch && isTemporary(err)) throw new ServiceUnavailableError('The key could not be fetched')
    if (isExpectedFailure(err)) return null
    throw err
  })
  return found?.ownerUri ?? null
}
