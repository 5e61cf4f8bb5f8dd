import type { Read } from '../../domain/context.ts'
import { startOfHistory } from '../../domain/core/usage-history.ts'
import type { TagName } from '../../domain/tags/tag-name.ts'
import type { Tag } from '../../entities/statuses/tag.ts'
import { entity } from '../../lib/json/entity-json.ts'
import { statement } from '../../platform/db/statement.ts'
import { usageHistory } from './usage-history.ts'
import type { DailyUseRow } from './usage-history.ts'

interface TagRow {
  id: string
  name: string
  display_name: string
  following: boolean
  featuring: boolean
}

/** `viewerId`: null for anonymous, without `following` and `featuring`. */
interface ForViewer {
  viewerId: string | null
  now: Date
}

// The arrays are queried once for all rows.
const IS_FOLLOWED = `t.id = any(array(select tag_id from tag_follows where account_id = $viewerId))`
const IS_FEATURED = `t.id = any(array(select tag_id from featured_tags where account_id = $viewerId))`
const COLUMNS = `t.id, t.name, t.display_name, ${IS_FOLLOWED} as following, ${IS_FEATURED} as featuring`

const selectTags = statement<{ params: { ids: readonly string[]; viewerId: string | null }; row: TagRow }>(
  `select ${COLUMNS} from unnest($ids::bigint[]) with ordinality as ids (id, position)
     join tags t on t.id = ids.id order by ids.position`,
)
// The row of a hashtag without public use would reveal that a private status contains it, and its spelling there.
const selectNamed = statement<{ params: { tagName: string; viewerId: string | null }; row: TagRow }>(
  `select ${COLUMNS} from tags t
   where t.name = $tagName and (t.recent_users is not null or ${IS_FOLLOWED} or ${IS_FEATURED})`,
)

// Days are counted from 1970, in UTC.
const selectUses = statement<{ params: { tagIds: readonly string[]; since: Date }; row: DailyUseRow }>(
  `select tag_id as id, day - date '1970-01-01' as day, sum(uses) as uses, count(*) as accounts
   from tag_uses where tag_id = any($tagIds::bigint[]) and day >= ($since::timestamptz at time zone 'UTC')::date
   group by tag_id, day`,
)

/** Returns hashtags in the order of the ids, with their public uses on each of the last seven days. */
export async function renderTags(
  read: Read,
  { ids, ...viewing }: ForViewer & { ids: readonly string[] },
): Promise<Tag[]> {
  if (ids.length === 0) return []
  const since = startOfHistory(viewing.now)
  const [tags, uses] = await Promise.all([
    selectTags(read.db, { ids, viewerId: viewing.viewerId }),
    selectUses(read.db, { tagIds: ids, since }),
  ])
  return tagsOf(read, { tags, uses, viewing })
}

/**
 * Returns a hashtag by name. A hashtag that was never used publicly has an empty id, except for viewers who follow or
 * feature it.
 */
export async function renderTag(read: Read, { tag, ...viewing }: ForViewer & { tag: TagName }): Promise<Tag> {
  const [row] = await selectNamed(read.db, { tagName: tag.name, viewerId: viewing.viewerId })
  const uses = row ? await selectUses(read.db, { tagIds: [row.id], since: startOfHistory(viewing.now) }) : []
  const tagRow = row ?? { id: '', name: tag.name, display_name: tag.displayName, following: false, featuring: false }
  return tagsOf(read, { tags: [tagRow], uses, viewing })[0]!
}

function tagsOf(
  read: Read,
  { tags, uses, viewing }: { tags: readonly TagRow[]; uses: readonly DailyUseRow[]; viewing: ForViewer },
): Tag[] {
  const historyOf = usageHistory({ uses, now: viewing.now })
  return tags.map(({ id, name, display_name, following, featuring }) =>
    entity<Tag>({
      id,
      name: display_name,
      url: `${read.config.origin}/tags/${encodeURIComponent(name)}`,
      history: historyOf(id),
      following: viewing.viewerId === null ? undefined : following,
      featuring: viewing.viewerId === null ? undefined : featuring,
    }),
  )
}
