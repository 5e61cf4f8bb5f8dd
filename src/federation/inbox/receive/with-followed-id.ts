import type { Ctx } from '../../../domain/context.ts'
import type { ParsedActivity } from '../../objects/read/read-activity.ts'
import { findProfileOwners } from '../../remote/actors/find-profile-owners.ts'
import type { WireObject } from '../../wire/normalise.ts'
import { idOf } from '../../wire/read-values.ts'

interface ReceivedDocument {
  activity: ParsedActivity
  document: WireObject
}

/**
 * Returns a Follow with the id of the local account in place of the URL of its profile page, as Hubzilla sends it. The
 * Undo of such a Follow has the id, and all Follows and Undos between two accounts are ordered by it.
 */
export async function withFollowedId(
  ctx: Pick<Ctx, 'db' | 'config'>,
  { activity, document }: ReceivedDocument,
): Promise<ReceivedDocument> {
  const { type, object } = activity
  const followed = type === 'Follow' && object !== null ? idOf(object) : null
  const id = followed === null ? undefined : (await findProfileOwners(ctx, { urls: [followed] })).get(followed)
  if (id === undefined) return { activity, document }
  return { activity: { ...activity, object: id, objects: [id] }, document: { ...document, object: id } }
}
