import type { Read } from '../domain/context.ts'
import type { Tag } from '../entities/tag.ts'
import { statusIdAt } from '../lib/ids.ts'
import { toJson } from '../lib/json.ts'
import type { Json } from '../lib/json.ts'
import { statement } from '../platform/db/connect.ts'

const HISTORY_DAYS = 7
const DAY_MS = 86_400_000

interface TagRow {
  id: string
  name: string
  display_name: string
}

interface DayRow {
  tag_id: string
  day: number
  uses: number
  accounts: number
}

const findTags = statement<TagRow>(
  `select t.id, t.name, t.display_name from unnest($1::bigint[]) with ordinality as wanted (id, place)
     join tags t on t.id = wanted.id order by wanted.place`,
)
// $2 the first status id of the first day. Days are counted from 1970, in UTC.
const countUses = statement<DayRow>(
  `select st.tag_id, ((s.id >> 16) / ${DAY_MS})::int as day, count(*)::int as uses,
     count(distinct s.account_id)::int as accounts
   from status_tags st join statuses s on s.id = st.status_id
   where st.tag_id = any($1::bigint[]) and st.status_id >= $2
     and s.visibility = 'public' and s.deleted_at is null and not s.local_only
   group by st.tag_id, day`,
)

/** Tags with how much they were used in public on each of the last seven days, in the order of the ids. */
export async function renderTags(
  read: Read,
  { ids, now }: { ids: readonly string[]; now: Date },
): Promise<Json<Tag>[]> {
  if (ids.length === 0) return []
  const today = Math.floor(now.getTime() / DAY_MS)
  const since = statusIdAt(new Date((today - HISTORY_DAYS + 1) * DAY_MS))
  const [tags, uses] = await Promise.all([findTags(read.db, [ids]), countUses(read.db, [ids, since])])
  const byDay = new Map(uses.map((row) => [`${row.tag_id} ${row.day}`, row]))
  return tags.map(({ id, name, display_name: display }) =>
    toJson<Tag>({
      id,
      name: display,
      url: `${read.config.origin}/tags/${encodeURIComponent(name)}`,
      history: Array.from({ length: HISTORY_DAYS }, (_day, ago) => {
        const used = byDay.get(`${id} ${today - ago}`)
        return {
          day: String(((today - ago) * DAY_MS) / 1000),
          accounts: String(used?.accounts ?? 0),
          uses: String(used?.uses ?? 0),
        }
      }),
    }),
  )
}
