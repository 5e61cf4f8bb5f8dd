import { lookForChanges } from '../../platform/db/changes.ts'
import type { Changes, Moment } from '../../platform/db/changes.ts'
import { statement } from '../../platform/db/statement.ts'
import { KeptByViewer } from '../../platform/db/kept-by-viewer.ts'
import type { Read } from '../context.ts'
import { visibleTo } from './visibility.ts'

/** How much memory one process may take for each such question, and what one answer takes. */
const KEPT_BYTES = 12 * 1024 * 1024
const ANSWER_BYTES = 240

/** A status that a viewer may see: whose it is, and whose what it boosts. */
interface Known {
  id: string
  author: string
  original: string | null
  original_author: string | null
}

interface Asked {
  ids: readonly string[]
  /** null = somebody unknown. */
  viewerId: string | null
  /** When the viewer's request looked for changes; without it, it is looked anew. */
  asOf?: Moment | undefined
}

function hasChanged(changes: Changes, known: Known, since: Moment): boolean {
  const { id, author, original, original_author: originalAuthor } = known
  return (
    changes.hasChanged('status', id, since) ||
    changes.hasChanged('account', author, since) ||
    (original !== null && changes.hasChanged('status', original, since)) ||
    (originalAuthor !== null && changes.hasChanged('account', originalAuthor, since))
  )
}

/**
 * Makes a question of which statuses a viewer gets, those that they may see and that fit `condition`, SQL over the alias
 * `s` of `statuses` with the viewer as $1. It may rest on both statuses and their authors, and on whom the viewer follows,
 * mutes and blocks, or is blocked by. Only who gets something is kept: hiding may end by the clock.
 */
export function askForVisible(condition = 'true'): (read: Pick<Read, 'db'>, asked: Asked) => Promise<string[]> {
  const select = statement<{ params: { viewerId: string | null; missing: readonly string[] }; row: Known }>(
    `select s.id, s.account_id as author, original.id as original, original.account_id as original_author
     from statuses s left join statuses original on original.id = s.reblog_of_id
     where s.id = any($missing::bigint[]) and ${visibleTo('$viewerId')} and ${condition}`,
  )
  const kept = new KeptByViewer<Known>({
    maxBytes: KEPT_BYTES,
    answerBytes: ANSWER_BYTES,
    keyOf: ({ id }) => id,
    hasChanged,
  })
  return async (read, { ids, viewerId, asOf }) => {
    if (ids.length === 0) return []
    const changes = await lookForChanges(read.db, { asOf })
    const load = async (missing: string[]) => select(read.db, { viewerId, missing })
    const known = await kept.find(changes, { viewerId, keys: ids, load })
    return known.flatMap((one) => one?.id ?? [])
  }
}

/** Of these statuses, in their order, those that the viewer may see. */
export const keepVisible = askForVisible()
