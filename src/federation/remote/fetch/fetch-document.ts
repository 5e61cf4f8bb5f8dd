import type { Ctx } from '../../../domain/context.ts'
import type { FetchedBody } from '../../../platform/fetch/fetcher.ts'
import { ensureActorKey } from '../../keys/actor-keys.ts'
import { createSigner } from '../../signatures/create-signer.ts'
import { isActor } from '../../objects/read/read-actor.ts'
import { isNote } from '../../objects/read/read-note.ts'
import { ACTIVITY_MEDIA_TYPES } from '../../wire/context.ts'
import { isActivityStreams } from '../../wire/normalize.ts'
import type { WireObject } from '../../wire/normalize.ts'
import { MAX_DOCUMENT_BYTES, parseDocument } from '../../wire/parse-document.ts'
import type { DocumentLimits } from '../../wire/parse-document.ts'
import { idOf, isOfType } from '../../wire/read-values.ts'
import { requestRemote } from './request-remote.ts'
import type { FetchBudget } from './budget.ts'
import { isDocumentType } from './is-document-type.ts'
import { RemoteError, RemoteGoneError } from './remote-errors.ts'

/** Thrown if the response is no ActivityPub document, such as a web page. */
export class NoDocumentError extends RemoteError {
  /** Private, so that logs of the error do not contain the body. */
  readonly #response: FetchedBody

  constructor(response: FetchedBody) {
    super(`${response.url} is not an ActivityPub document`)
    this.#response = response
  }

  get response(): FetchedBody {
    return this.#response
  }
}

interface DocumentRequest {
  uri: string
  budget: FetchBudget
  /** Tighter limits than for other documents. */
  limits?: DocumentLimits | undefined
  /** The URL may be that of a web page, so the server may also respond with the page, if it has no document there. */
  acceptsPage?: boolean
}

const TOMBSTONE = new Set(['Tombstone'])

/**
 * Fetches a document of a remote server, signed by the instance actor. The returned document was served at its own id:
 * if the document at `uri` has another id, that URL is fetched once.
 * @throws what `requestRemote` throws · InvalidDocumentError · NoDocumentError · RemoteError if it is not served at its id,
 *   or is an actor or a note without the ActivityStreams context · RemoteGoneError for the Tombstone of a deleted object
 */
export async function fetchDocument(ctx: Ctx, request: DocumentRequest): Promise<WireObject> {
  const { document, id } = await fetchServedAtItsId(ctx, request)
  // NodeBB serves Tombstones with the status 200.
  if (isOfType(document, TOMBSTONE)) throw new RemoteGoneError(id, { isPermanent: true })
  return document
}

async function fetchServedAtItsId(ctx: Ctx, request: DocumentRequest): Promise<{ document: WireObject; id: string }> {
  const { uri } = request
  const first = await get(ctx, request)
  const id = idOf(first.document)
  if (id === null) throw new RemoteError(`The document at ${uri} has no id`)
  if (isSameAddress(id, first.url)) return { document: first.document, id }
  const second = await get(ctx, { ...request, uri: id, acceptsPage: false })
  if (idOf(second.document) !== id || !isSameAddress(id, second.url)) {
    throw new RemoteError(`The document at ${uri} is not served at its id`)
  }
  return { document: second.document, id }
}

async function get(
  ctx: Ctx,
  { uri, budget, limits, acceptsPage = false }: DocumentRequest,
): Promise<{ document: WireObject; url: string }> {
  const key = await ensureActorKey(ctx, { accountId: null })
  const response = await requestRemote(ctx, {
    url: uri,
    accept: [...ACTIVITY_MEDIA_TYPES, ...(acceptsPage ? ['text/html;q=0.1'] : [])].join(', '),
    maxBytes: limits?.bytes ?? MAX_DOCUMENT_BYTES,
    budget,
    sign: createSigner({ key, now: () => ctx.now() }),
  })
  const { url, headers, body } = response
  if (!isDocumentType(headers['content-type'] ?? '')) throw new NoDocumentError(response)
  const document = parseDocument(body, limits)
  // Some servers omit the context of collections and keys.
  if ((isActor(document) || isNote(document)) && !isActivityStreams(document))
    throw new RemoteError(`The context of ${url} is not that of ActivityStreams`)
  return { document, url }
}

/** Returns whether two URLs are equal except for the fragment, which is not part of a request. */
export function isSameAddress(one: string, other: string): boolean {
  return withoutFragment(one) === withoutFragment(other)
}

function withoutFragment(address: string): string {
  const url = new URL(address)
  url.hash = ''
  return url.href
}
