import type { Read } from '../domain/context.ts'
import { startOfHistory } from '../domain/tags/days.ts'
import type { TagName } from '../domain/tags/name.ts'
import type { Tag } from '../entities/tag.ts'
import { toJson } from '../lib/json.ts'
import type { Json } from '../lib/json.ts'
import { statement } from '../platform/db/connect.ts'
import { presentHistories } from './histories.ts'
import type { DailyUseRow } from './histories.ts'

interface TagRow {
  id: string
  name: string
  display_name: string
  following: boolean
  featuring: boolean
}

/** For whom it is rendered, and when. `viewerId` null: somebody unknown, to whom it says nothing of themselves. */
interface Look {
  viewerId: string | null
  now: Date
}

// $2 the viewer, of whom everything is asked once.
const COLUMNS = `t.id, t.name, t.display_name,
  t.id = any(array(select tag_id from tag_follows where account_id = $2)) as following,
  t.id = any(array(select tag_id from featured_tags where account_id = $2)) as featuring`

const findTags = statement<TagRow>(
  `select ${COLUMNS} from unnest($1::bigint[]) with ordinality as wanted (id, place)
     join tags t on t.id = wanted.id order by wanted.place`,
)
const findNamed = statement<TagRow>(`select ${COLUMNS} from tags t where t.name = $1`)

// Days are counted from 1970, in UTC.
const findUses = statement<DailyUseRow>(
  `select tag_id as id, day - date '1970-01-01' as day, sum(uses) as uses, count(*) as accounts
   from tag_uses where tag_id = any($1::bigint[]) and day >= ($2::timestamptz at time zone 'UTC')::date
   group by tag_id, day`,
)

/** Hashtags with how much they were used in public on each of the last seven days, in the order of the ids. */
export async function renderTags(
  read: Read,
  { ids, ...look }: Look & { ids: readonly string[] },
): Promise<Json<Tag>[]> {
  if (ids.length === 0) return []
  const since = startOfHistory(look.now)
  const [tags, uses] = await Promise.all([findTags(read.db, [ids, look.viewerId]), findUses(read.db, [ids, since])])
  return presentTags(read, { tags, uses, look })
}

/** One by its name; of a tag that nobody wrote yet, what it would be like: it has no id. */
export async function renderTag(read: Read, { tag, ...look }: Look & { tag: TagName }): Promise<Json<Tag>> {
  const [row] = await findNamed(read.db, [tag.name, look.viewerId])
  const uses = row ? await findUses(read.db, [[row.id], startOfHistory(look.now)]) : []
  const known = row ?? { id: '', name: tag.name, display_name: tag.display, following: false, featuring: false }
  return presentTags(read, { tags: [known], uses, look })[0]!
}

function presentTags(
  read: Read,
  { tags, uses, look }: { tags: readonly TagRow[]; uses: readonly DailyUseRow[]; look: Look },
): Json<Tag>[] {
  const historyOf = presentHistories({ uses, now: look.now })
  return tags.map(({ id, name, display_name: display, following, featuring }) =>
    toJson<Tag>({
      id,
      name: display,
      url: `${read.config.origin}/tags/${encodeURIComponent(name)}`,
      history: historyOf(id),
      ...(look.viewerId !== null && { following, featuring }),
    }),
  )
}
