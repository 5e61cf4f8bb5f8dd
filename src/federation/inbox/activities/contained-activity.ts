import { isFollowedLocally } from '../../../domain/access/followed-locally.ts'
import type { Ctx } from '../../../domain/context.ts'
import { removeRemoteStatus } from '../../../domain/statuses/remote/remove-remote-status.ts'
import { statement } from '../../../platform/db/statement.ts'
import { readActivity } from '../../objects/read/read-activity.ts'
import type { FetchBudget } from '../../remote/fetch/budget.ts'
import { fetchDocument } from '../../remote/fetch/fetch-document.ts'
import { isExpectedFailure, isTemporary } from '../../remote/fetch/remote-errors.ts'
import { findRemoteAuthor } from '../../remote/statuses/refresh-status.ts'
import type { WireObject } from '../../wire/normalize.ts'
import { idOf, isOfType, isSameHost, objectOf, pastDateOf, typesOf } from '../../wire/read-values.ts'
import { embeddedObject } from '../incoming-activity.ts'
import type { IncomingActivity } from '../incoming-activity.ts'
import { handleForwarded, readForwarded } from '../receive/forwarded-activity.ts'
import type { ForwardedActivity } from '../receive/forwarded-activity.ts'

type ContainedType = ForwardedActivity['type']

const DELETE = new Set(['Delete'])

const findFollowed = statement<{ params: { actor: string } }>(
  `select from accounts a where a.uri = $actor and ${isFollowedLocally('a.id')}`,
)

/**
 * Handles a whole activity of one of these types that the activity of an account with local followers contains: an edit
 * or a deletion that a group announces, or what the author of a post adds to the collection of its thread (FEP-171b).
 * As a forwarded activity, it only names the object to fetch. Returns whether the object is such an activity.
 */
export async function handleContainedActivity(
  ctx: Ctx,
  { activity: { actor, object }, budget }: IncomingActivity,
  { types }: { types: readonly ContainedType[] },
): Promise<boolean> {
  const inner = embeddedObject(object)
  const type = inner ? types.find((one) => typesOf(inner).includes(one)) : undefined
  if (!inner || type === undefined) return false
  if ((await findFollowed(ctx.db, { actor })).length === 0) return true
  const forwarded = await readContained(ctx, { inner, type, actor })
  if (!forwarded) return true
  // Mbin names the time of an edit only in the Update, as `updated` of an object within the edited one.
  const editedAt = pastDateOf(objectOf(objectOf(inner['object'])?.['object'])?.['updated'], ctx.now())
  await handleForwarded(ctx, { forwarded, budget, editedAt })
  if (type === 'Delete') await deleteServedStatus(ctx, { inner, uri: forwarded.uri, budget })
  return true
}

/** Returns the object to fetch. An Update or Delete may be by another actor than the author, such as a moderator. */
async function readContained(
  ctx: Ctx,
  { inner, type, actor }: { inner: WireObject; type: ContainedType; actor: string },
): Promise<ForwardedActivity | null> {
  if (type === 'Create') return readForwarded(ctx, readActivity(inner, { now: ctx.now() }), { forwarderUri: actor })
  const uri = idOf(inner['object'])
  return uri === null ? null : { type, uri }
}

/**
 * Deletes a status that its server still serves, like PieFed, if that server also serves the Delete of its author that
 * another activity contains.
 */
async function deleteServedStatus(
  ctx: Ctx,
  { inner, uri, budget }: { inner: WireObject; uri: string; budget: FetchBudget },
): Promise<void> {
  const author = await findRemoteAuthor(ctx, uri)
  if (!author || !(await isServedDelete(ctx, { inner, uri, authorUri: author.uri, budget }))) return
  await ctx.write((tx) => removeRemoteStatus(tx, { uri, accountId: author.id }))
}

async function isServedDelete(
  ctx: Ctx,
  { inner, uri, authorUri, budget }: { inner: WireObject; uri: string; authorUri: string; budget: FetchBudget },
): Promise<boolean> {
  const id = idOf(inner)
  if (id === null || !isSameHost(id, uri) || idOf(inner['actor']) !== authorUri) return false
  const document = await fetchDocument(ctx, { uri: id, budget }).catch((err: unknown) => {
    if (!isExpectedFailure(err) || isTemporary(err)) throw err
    return null
  })
  return (
    document !== null &&
    isOfType(document, DELETE) &&
    idOf(document['actor']) === authorUri &&
    idOf(document['object']) === uri
  )
}
