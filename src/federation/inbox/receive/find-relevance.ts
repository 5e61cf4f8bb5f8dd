import type { Ctx } from '../../../domain/context.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { ParsedActivity, ObjectReference } from '../../objects/read/read-activity.ts'
import { instanceActorUri } from '../../objects/uris.ts'
import { idOf, listOf } from '../../wire/read-values.ts'
import { announcedUriOf } from '../activities/announce.ts'
import { embeddedObject } from '../incoming-activity.ts'

/**
 * The relevance to this server of an activity whose actor has no local followers:
 *
 * - `solicited`: it acts on an existing local account or status;
 * - `none`: its handler could do nothing, because it acts on neither;
 * - `unsolicited`: anything else, such as the deletion of an unknown status or a Follow of the instance actor. It may
 *   have an effect or be remembered.
 */
export type ActivityRelevance = 'solicited' | 'none' | 'unsolicited'

/** Ids of one activity that are looked up at most. */
const MAX_SUBJECTS = 100

/** Types whose handlers do nothing unless their object is a local account or status, or their actor is followed. */
const REQUIRES_LOCAL_SUBJECT: ReadonlySet<string> = new Set(['Announce', 'Block', 'Follow', 'Like'])

/**
 * The ids on which an activity acts, by its type. Other types name nothing that a sender could not make up: they are
 * never solicited, and honest servers send few of them to servers without followers.
 */
const SUBJECT_READERS: Readonly<Record<string, (activity: ParsedActivity) => readonly (string | null)[]>> = {
  Announce: (activity) => [announcedUriOf(activity)],
  Block: ({ object }) => [idOfMentioned(object)],
  Follow: ({ object }) => [idOfMentioned(object)],
  Like: ({ object }) => [idOfMentioned(object)],
  FeatureRequest: ({ object }) => [idOfMentioned(object)],
  QuoteRequest: ({ object }) => [idOfMentioned(object)],
  // Responses to requests of a local account, and Undos of what was done to one.
  Accept: ({ object }) => [idOf(embeddedObject(object)?.['actor'])],
  Reject: ({ object }) => [idOf(embeddedObject(object)?.['actor'])],
  Undo: ({ object }) => [idOf(embeddedObject(object)?.['object'])],
  Create: ({ object, to, cc }) => {
    const note = embeddedObject(object)
    const addressed = [note?.['to'], note?.['cc']].flatMap((value) => listOf(value).map(idOf))
    return [idOf(note?.['inReplyTo']), ...to, ...cc, ...addressed]
  },
}

const findLocal = statement<{ params: { objectUris: readonly (string | null)[] } }>(
  `select from accounts where uri = any($objectUris) and domain is null
   union all select from statuses where uri = any($objectUris) and local and not local_only
     and deleted_at is null limit 1`,
)

/** Returns the relevance of an activity whose actor has no local followers. */
export async function findRelevance(
  ctx: Pick<Ctx, 'db' | 'config'>,
  activity: ParsedActivity,
): Promise<ActivityRelevance> {
  const { type } = activity
  const candidates = Object.hasOwn(SUBJECT_READERS, type) ? SUBJECT_READERS[type]!(activity) : []
  const subjects = candidates
    .filter((uri) => uri !== null && uri.startsWith(`${ctx.config.origin}/`))
    .slice(0, MAX_SUBJECTS)
  if (subjects.length > 0 && (await findLocal(ctx.db, { objectUris: subjects })).length > 0) return 'solicited'
  const isAnswered = type === 'Follow' && subjects.includes(instanceActorUri(ctx.config))
  return REQUIRES_LOCAL_SUBJECT.has(type) && !isAnswered ? 'none' : 'unsolicited'
}

function idOfMentioned(object: ObjectReference | null): string | null {
  return object === null ? null : idOf(object)
}
