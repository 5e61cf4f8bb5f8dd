import type { Ctx } from '../../../domain/context.ts'
import type { ObjectReference, ParsedActivity } from '../../objects/read/read-activity.ts'
import { findProfileOwners } from '../../remote/actors/find-profile-owners.ts'
import { findPageStatus } from '../../remote/statuses/find-page-status.ts'
import type { WireObject } from '../../wire/normalize.ts'
import { idOf, typesOf } from '../../wire/read-values.ts'
import { embeddedObject } from '../incoming-activity.ts'

interface ReceivedDocument {
  activity: ParsedActivity
  document: WireObject
}

/** The types of activities that act on a status. */
const STATUS_TYPES: ReadonlySet<string> = new Set(['Announce', 'Like', 'QuoteRequest'])

/**
 * Returns an activity with the id of the local account or status on which it acts in place of the URL of its page:
 * Hubzilla sends the URL of the profile page in a Follow, but the id in the Undo of it, and the users of other servers
 * enter the URLs of posts. Interactions and their Undos are ordered by the id.
 */
export async function withLocalIds(
  ctx: Pick<Ctx, 'db' | 'config'>,
  { activity, document }: ReceivedDocument,
): Promise<ReceivedDocument> {
  const object = await findLocalObject(ctx, activity)
  if (object === null) return { activity, document }
  return { activity: { ...activity, object, objects: [object] }, document: { ...document, object } }
}

/** Returns the object of an activity with the id of a local account or status; null if it has no URL of a page. */
async function findLocalObject(
  ctx: Pick<Ctx, 'db' | 'config'>,
  { type, object }: Pick<ParsedActivity, 'type' | 'object'>,
): Promise<ObjectReference | null> {
  const undone = type === 'Undo' ? embeddedObject(object) : null
  if (undone) {
    const kind = typesOf(undone).find((one) => STATUS_TYPES.has(one))
    const id = kind === undefined ? null : await findLocalObject(ctx, { type: kind, object: idOf(undone['object']) })
    return id === null ? null : { ...undone, object: id }
  }
  const url = object === null ? null : idOf(object)
  if (url === null) return null
  if (STATUS_TYPES.has(type)) return findPageStatus(ctx, { url })
  return type === 'Follow' ? ((await findProfileOwners(ctx, { urls: [url] })).get(url) ?? null) : null
}
