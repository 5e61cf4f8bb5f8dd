import type { Ctx } from '../../domain/context.ts'
import { statement } from '../../platform/db/statement.ts'
import type { ActivityFacts, Mentioned } from '../objects/read-activity.ts'
import { idOf, listOf } from '../wire/read.ts'
import { originalOf } from './announce.ts'
import { embedded } from './incoming.ts'

/**
 * What an activity whose actor no local account follows has to do with this server:
 *
 * - `solicited`: it acts on an existing local account or status;
 * - `none`: its handler could do nothing, because it acts on neither;
 * - `unsolicited`: anything else, such as the deletion of an unknown status. It may have an effect or be remembered.
 */
export type Concern = 'solicited' | 'none' | 'unsolicited'

/** Ids of one activity that are looked up at most. */
const MAX_SUBJECTS = 100

/** Types whose handlers do nothing unless their object is a local account or status, or their actor is followed. */
const ONLY_ON_LOCAL: ReadonlySet<string> = new Set(['Announce', 'Block', 'Follow', 'Like'])

/**
 * The ids on which an activity acts, by its type. Other types name nothing that a sender could not make up: they are
 * never solicited, and honest servers send few of them to servers without followers.
 */
const SUBJECTS: Readonly<Record<string, (activity: ActivityFacts) => readonly (string | null)[]>> = {
  Announce: (activity) => [originalOf(activity)],
  Block: ({ object }) => [idOfMentioned(object)],
  Follow: ({ object }) => [idOfMentioned(object)],
  Like: ({ object }) => [idOfMentioned(object)],
  FeatureRequest: ({ object }) => [idOfMentioned(object)],
  QuoteRequest: ({ object }) => [idOfMentioned(object)],
  // What a local account asked for, or what was done to one.
  Accept: ({ object }) => [idOf(embedded(object)?.['actor'])],
  Reject: ({ object }) => [idOf(embedded(object)?.['actor'])],
  Undo: ({ object }) => [idOf(embedded(object)?.['object'])],
  Create: ({ object, to, cc }) => {
    const note = embedded(object)
    const addressed = [note?.['to'], note?.['cc']].flatMap((value) => listOf(value).map(idOf))
    return [idOf(note?.['inReplyTo']), ...to, ...cc, ...addressed]
  },
}

const findLocal = statement<{ params: { subjects: readonly (string | null)[] } }>(
  `select from accounts where uri = any($subjects) and domain is null
   union all select from statuses where uri = any($subjects) and local and not local_only
     and deleted_at is null limit 1`,
)

/** Finds what an activity of an actor without local followers has to do with this server. */
export async function findConcern(ctx: Pick<Ctx, 'db' | 'config'>, activity: ActivityFacts): Promise<Concern> {
  const { type } = activity
  const named = Object.hasOwn(SUBJECTS, type) ? SUBJECTS[type]!(activity) : []
  const subjects = named.filter((uri) => uri !== null && uri.startsWith(`${ctx.config.origin}/`)).slice(0, MAX_SUBJECTS)
  if (subjects.length > 0 && (await findLocal(ctx.db, { subjects })).length > 0) return 'solicited'
  return ONLY_ON_LOCAL.has(type) ? 'none' : 'unsolicited'
}

function idOfMentioned(object: Mentioned | null): string | null {
  return object === null ? null : idOf(object)
}
