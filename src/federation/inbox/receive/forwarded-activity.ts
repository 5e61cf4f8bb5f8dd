import type { Ctx } from '../../../domain/context.ts'
import { recordApprovalRevocation } from '../../../domain/quotes/answer-quote-request.ts'
import { isRelay } from '../../../domain/relays/subscriptions.ts'
import { UnauthorizedError } from '../../../lib/errors.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { ParsedActivity, ActivityHead } from '../../objects/read/read-activity.ts'
import type { FetchBudget } from '../../remote/fetch/budget.ts'
import { findKnownActor } from '../../remote/actors/resolve-actor.ts'
import { fetchDocument } from '../../remote/fetch/fetch-document.ts'
import { findVisibleByActor } from '../../remote/statuses/find-known-status.ts'
import { RemoteGoneError } from '../../remote/fetch/remote-errors.ts'
import { findRemoteAuthor, recordRefreshedStatus } from '../../remote/statuses/refresh-status.ts'
import { removeIfGone } from '../../remote/statuses/remove-if-gone.ts'
import { resolveStatus } from '../../remote/statuses/resolve-status.ts'
import type { WireObject } from '../../wire/normalize.ts'
import { hostOf, idOf, isSameHost } from '../../wire/read-values.ts'
import { embeddedObject, sameOriginId } from '../incoming-activity.ts'

/**
 * An activity that a server forwarded from another server, such as a reply to one of its accounts (ActivityPub §7.1.2).
 * It embeds a signature of its author, which this server does not verify: the activity only names the object to fetch.
 */
export interface ForwardedActivity {
  type: 'Create' | 'Update' | 'Delete'
  /** The id of the status; of a Delete also that of a quote authorization. */
  uri: string
}

const findApproval = statement<{ params: { uri: string }; row: { account_id: string }; notNull: 'account_id' }>(
  `select quoted_account_id as account_id from quotes
   where approval_uri = $uri and state = 'accepted' and quoted_account_id is not null`,
)

/**
 * Returns whether an activity was forwarded: it embeds a signature, and the key is on another host than the actor.
 * @throws UnauthorizedError if the activity has no id on the host of its actor
 */
export function isForwarded({ id, actor }: ActivityHead, { document, keyId }: { document: WireObject; keyId: string }) {
  const hasEmbeddedProof = document['signature'] !== undefined || document['proof'] !== undefined
  if (!hasEmbeddedProof || isSameHost(keyId, actor)) return false
  if (id === null || !isSameHost(id, actor))
    throw new UnauthorizedError('The activity is not one of the actor’s server')
  return true
}

/**
 * Returns the object to fetch because of a forwarded activity: a reply to a stored status, a stored status that was
 * edited or deleted, a revoked quote authorization, or any new status from a relay. Returns null for anything else.
 */
export async function readForwarded(
  ctx: Ctx,
  activity: ParsedActivity,
  { forwarderUri }: { forwarderUri: string },
): Promise<ForwardedActivity | null> {
  const { type, object } = activity
  const uri = sameOriginId(activity, object)
  if (uri === null || uri === activity.actor) return null
  if (type === 'Delete' && (await findApproval(ctx.db, { uri })).length > 0) return { type, uri }
  if (type === 'Update' || type === 'Delete') return (await findRemoteAuthor(ctx, uri)) ? { type, uri } : null
  if (type !== 'Create') return null
  if ((await findKnownActor(ctx, { uri: activity.actor }))?.suspendedBy) return null
  if (await isRelay(ctx, { host: hostOf(forwarderUri) ?? '' })) return { type, uri }
  // Otherwise the fetch would reveal to the author of the reply that a status exists which the author cannot see.
  const parent = { uri: idOf(embeddedObject(object)?.['inReplyTo']), actorUri: activity.actor }
  return (await findVisibleByActor(ctx, parent)) === null ? null : { type, uri }
}

/**
 * Fetches the object of a forwarded activity from its own server, and records, updates or deletes it accordingly.
 * `editedAt`: the time of the edit that the activity names, for a document that names none.
 */
export async function handleForwarded(
  ctx: Ctx,
  {
    forwarded: { type, uri },
    budget,
    editedAt = null,
  }: { forwarded: ForwardedActivity; budget: FetchBudget; editedAt?: Date | null },
): Promise<void> {
  if (type === 'Create') {
    await resolveStatus(ctx, { uri, budget })
    return
  }
  const [approval] = type === 'Delete' ? await findApproval(ctx.db, { uri }) : []
  if (approval) {
    const isGone = (await fetchUnlessGone(ctx, { uri, budget })) === null
    if (isGone) await ctx.write((tx) => recordApprovalRevocation(tx, { uri, accountId: approval.account_id }))
    return
  }
  const author = await findRemoteAuthor(ctx, uri)
  if (!author) return
  const document = await removeIfGone(ctx, { uri, fetching: fetchDocument(ctx, { uri, budget }) })
  await recordRefreshedStatus(ctx, { uri, author, document, budget, editedAt })
}

/** Fetches a document; null if it does not exist any more. */
async function fetchUnlessGone(ctx: Ctx, input: { uri: string; budget: FetchBudget }): Promise<WireObject | null> {
  return fetchDocument(ctx, input).catch((err: unknown) => {
    if (err instanceof RemoteGoneError) return null
    throw err
  })
}
