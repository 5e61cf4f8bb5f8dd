import type { Ctx } from '../../domain/context.ts'
import { takeBackConsent } from '../../domain/quotes/answer.ts'
import { removeRemoteStatus } from '../../domain/statuses/remove-remote.ts'
import { Unauthorized } from '../../lib/errors.ts'
import { statement } from '../../platform/db/statement.ts'
import type { ActivityFacts, ActivityHead } from '../objects/read-activity.ts'
import type { Budget } from '../remote/budget.ts'
import { fetchDocument } from '../remote/document.ts'
import { findVisibleByActor } from '../remote/known-status.ts'
import { RemoteGone } from '../remote/refusals.ts'
import { findRemoteAuthor, recordChange } from '../remote/renew-status.ts'
import { resolveStatus } from '../remote/status.ts'
import type { WireObject } from '../wire/normalise.ts'
import { idOf, isOfType, isSameHost } from '../wire/read.ts'
import { embedded, ownId } from './incoming.ts'

/**
 * Servers send on what others wrote in answer to their people, with a proof of the author's inside. Such proofs are not
 * trusted here. What is sent on only tells where to look.
 */
export interface Forwarded {
  type: 'Create' | 'Update' | 'Delete'
  /** The status that it is about; of a Delete, also a consent to a quote. */
  uri: string
}

const TOMBSTONE = new Set(['Tombstone'])

const findConsent = statement<{ params: { uri: string }; row: { account_id: string }; notNull: 'account_id' }>(
  `select quoted_account_id as account_id from quotes
   where approval_uri = $uri and state = 'accepted' and quoted_account_id is not null`,
)

/** Whether an activity says itself that it does not come from its actor. @throws Unauthorized for one that can't be so */
export function isForwarded({ id, actor }: ActivityHead, { document, keyId }: { document: WireObject; keyId: string }) {
  const isProven = document['signature'] !== undefined || document['proof'] !== undefined
  if (!isProven || isSameHost(keyId, actor)) return false
  if (id === null || !isSameHost(id, actor)) throw new Unauthorized('The activity is not one of the actor’s server')
  return true
}

/** What is to be looked at because of it: answers in threads that are known here, and what becomes of them. Else null. */
export async function readForwarded(ctx: Ctx, activity: ActivityFacts): Promise<Forwarded | null> {
  const { type, object } = activity
  const uri = ownId(activity, object)
  if (uri === null || uri === activity.actor) return null
  if (type === 'Delete' && (await findConsent(ctx.db, { uri })).length > 0) return { type, uri }
  if (type === 'Update' || type === 'Delete') return (await findRemoteAuthor(ctx, uri)) ? { type, uri } : null
  if (type !== 'Create') return null
  // Whether anything is fetched must not tell its author of a status that they cannot see.
  const answered = { uri: idOf(embedded(object)?.['inReplyTo']), actorUri: activity.actor }
  return (await findVisibleByActor(ctx, answered)) === null ? null : { type, uri }
}

/** Looks at its own server what has become of a status, or of a consent. */
export async function handleForwarded(
  ctx: Ctx,
  { forwarded: { type, uri }, budget }: { forwarded: Forwarded; budget: Budget },
): Promise<void> {
  if (type === 'Create') {
    await resolveStatus(ctx, { uri, budget })
    return
  }
  const [consent] = type === 'Delete' ? await findConsent(ctx.db, { uri }) : []
  if (consent) {
    const isGone = (await fetchOrNothing(ctx, { uri, budget })) === null
    if (isGone) await ctx.write((tx) => takeBackConsent(tx, { uri, accountId: consent.account_id }))
    return
  }
  const author = await findRemoteAuthor(ctx, uri)
  if (!author) return
  const document = await fetchOrNothing(ctx, { uri, budget })
  const accountId = author.id
  if (document === null || isOfType(document, TOMBSTONE)) {
    if (type === 'Delete') await ctx.write((tx) => removeRemoteStatus(tx, { uri, accountId }))
  } else {
    await recordChange(ctx, { uri, author, document, budget })
  }
}

/** Null: its server says that there is nothing. */
async function fetchOrNothing(ctx: Ctx, input: { uri: string; budget: Budget }): Promise<WireObject | null> {
  return fetchDocument(ctx, input).catch((err: unknown) => {
    if (err instanceof RemoteGone) return null
    throw err
  })
}
