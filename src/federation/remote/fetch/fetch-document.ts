import type { Ctx } from '../../../domain/context.ts'
import { ensureActorKey } from '../../keys/actor-keys.ts'
import { createSigner } from '../../signatures/create-signer.ts'
import { isActor } from '../../objects/read/read-actor.ts'
import { isNote } from '../../objects/read/read-note.ts'
import { ACTIVITY_MEDIA_TYPES } from '../../wire/context.ts'
import { isActivityStreams } from '../../wire/normalise.ts'
import type { WireObject } from '../../wire/normalise.ts'
import { MAX_DOCUMENT_BYTES, parseDocument } from '../../wire/parse-document.ts'
import type { DocumentLimits } from '../../wire/parse-document.ts'
import { idOf } from '../../wire/read-values.ts'
import { requestRemote } from './request-remote.ts'
import type { FetchBudget } from './budget.ts'
import { isDocumentType } from './is-document-type.ts'
import { RemoteError } from './remote-errors.ts'

/**
 * Fetches a document of a remote server, signed by the instance actor. The returned document was served at its own id:
 * if the document at `uri` has another id, that URL is fetched once. `limits`: tighter limits than for other documents.
 * @throws what `requestRemote` throws · InvalidDocumentError · RemoteError if it is no document, is not served at its
 *   id, or is an actor or a note without the ActivityStreams context
 */
export async function fetchDocument(
  ctx: Ctx,
  { uri, budget, limits }: { uri: string; budget: FetchBudget; limits?: DocumentLimits },
): Promise<WireObject> {
  const first = await get(ctx, { uri, budget, limits })
  const id = idOf(first.document)
  if (id === null) throw new RemoteError(`The document at ${uri} has no id`)
  if (isSameAddress(id, first.url)) return first.document
  const second = await get(ctx, { uri: id, budget, limits })
  if (idOf(second.document) !== id || !isSameAddress(id, second.url)) {
    throw new RemoteError(`The document at ${uri} is not served at its id`)
  }
  return second.document
}

async function get(
  ctx: Ctx,
  { uri, budget, limits }: { uri: string; budget: FetchBudget; limits: DocumentLimits | undefined },
): Promise<{ document: WireObject; url: string }> {
  const key = await ensureActorKey(ctx, { accountId: null })
  const { url, headers, body } = await requestRemote(ctx, {
    url: uri,
    accept: ACTIVITY_MEDIA_TYPES.join(', '),
    maxBytes: limits?.bytes ?? MAX_DOCUMENT_BYTES,
    budget,
    sign: createSigner({ key, now: () => ctx.now() }),
  })
  if (!isDocumentType(headers['content-type'] ?? '')) throw new RemoteError(`${url} is not an ActivityPub document`)
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
