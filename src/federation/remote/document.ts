import type { Ctx } from '../../domain/context.ts'
import { ensureActorKey } from '../keys.ts'
import { createSigner } from '../signatures/sign.ts'
import { ACTIVITY_TYPES } from '../wire/context.ts'
import type { WireObject } from '../wire/normalise.ts'
import { MAX_DOCUMENT_BYTES, parseDocument } from '../wire/parse-document.ts'
import type { DocumentLimits } from '../wire/parse-document.ts'
import { idOf } from '../wire/read.ts'
import { askRemote } from './ask.ts'
import type { Budget } from './budget.ts'
import { isDocumentType } from './document-type.ts'
import { RemoteRefusal } from './refusals.ts'

/**
 * Fetches what lies at an address of another server, in the name of this one. What comes back lies at its own id: if it
 * names another, that one is asked once. `limits`: what it may hold, if less than any document.
 * @throws what `askRemote` throws · Unreadable · RemoteRefusal for what is no document, or lies elsewhere than it says
 */
export async function fetchDocument(
  ctx: Ctx,
  { uri, budget, limits }: { uri: string; budget: Budget; limits?: DocumentLimits },
): Promise<WireObject> {
  const first = await get(ctx, { uri, budget, limits })
  const id = idOf(first.document)
  if (id === null) throw new RemoteRefusal(`What lies at ${uri} has no id`)
  if (isSameAddress(id, first.url)) return first.document
  const second = await get(ctx, { uri: id, budget, limits })
  if (idOf(second.document) !== id || !isSameAddress(id, second.url)) {
    throw new RemoteRefusal(`What lies at ${uri} is not where it says`)
  }
  return second.document
}

async function get(
  ctx: Ctx,
  { uri, budget, limits }: { uri: string; budget: Budget; limits: DocumentLimits | undefined },
): Promise<{ document: WireObject; url: string }> {
  const key = await ensureActorKey(ctx, { accountId: null })
  const { url, headers, body } = await askRemote(ctx, {
    url: uri,
    accept: ACTIVITY_TYPES.join(', '),
    maxBytes: limits?.bytes ?? MAX_DOCUMENT_BYTES,
    budget,
    sign: createSigner({ key, now: () => ctx.now() }),
  })
  if (!isDocumentType(headers['content-type'] ?? '')) throw new RemoteRefusal(`What lies at ${url} is no document`)
  return { document: parseDocument(body, limits), url }
}

/** Whether two addresses are the same place: what is behind a # is not asked for. */
function isSameAddress(one: string, other: string): boolean {
  return withoutFragment(one) === withoutFragment(other)
}

function withoutFragment(address: string): string {
  const url = new URL(address)
  url.hash = ''
  return url.href
}
