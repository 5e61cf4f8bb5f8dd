import { statement } from '../../platform/db/statement.ts'
import type { Read } from '../context.ts'
import { wantedBy } from '../feeds/public.ts'
import { visibleTo } from '../statuses/visibility.ts'
import { LINK_TRENDS, LINK_VERDICT, STATUS_MAY_TREND, STATUS_VERDICT, TAG_TRENDS, TAG_VERDICT } from './eligible.ts'
import { readTrendsSettings } from './settings.ts'

interface Part {
  limit: number
  offset: number
}

/** `viewerId` null: somebody unknown. `language`: that of whoever asks, where they did not choose any. */
interface Reader {
  viewerId: string | null
  language: string
}

const findTags = statement<{ params: { limit: number; offset: number; unreviewed: boolean }; row: { id: string } }>(
  `select t.id from trending_tags tt join tags t on t.id = tt.tag_id
   where ${TAG_TRENDS} and coalesce(${TAG_VERDICT}, $unreviewed)
   order by tt.score desc, t.id desc limit $limit offset $offset`,
)

// What somebody reads comes first. $viewerId viewer, $language the language that they ask in; what is said of a region counts for all.
const READABLE = `readable as materialized (
  select coalesce((select coalesce(nullif(u.chosen_languages, '{}'), array[u.locale, split_part(u.locale, '-', 1)]) from users u
    where u.account_id = $viewerId), array[$language::text]) as languages)`
const isReadable = (language: string) =>
  `(${language} = any((select languages from readable)::text[])
    or split_part(${language}, '-', 1) = any((select languages from readable)::text[]))`

const findLinks = statement<{
  params: { limit: number; offset: number; unreviewed: boolean; viewerId: string | null; language: string }
  row: { id: string }
}>(
  `with ${READABLE}
   select c.id from trending_links tl join preview_cards c on c.id = tl.card_id
     left join publishers p on p.id = tl.publisher_id
   where ${LINK_TRENDS} and coalesce(${LINK_VERDICT}, $unreviewed)
   order by ${isReadable('c.language')} desc, tl.score desc, c.id desc limit $limit offset $offset`,
)

// Of each author the one status that comes first, so that nobody fills the list.
const findStatuses = statement<{
  params: { limit: number; offset: number; unreviewed: boolean; viewerId: string | null; language: string }
  row: { id: string }
}>(
  `with ${READABLE}
   select id from (
     select distinct on (s.account_id) s.id, ts.score, ${isReadable('s.language')} as is_readable
     from trending_statuses ts join statuses s on s.id = ts.status_id
       left join reviewed_statuses r on r.status_id = s.id
     where coalesce(${STATUS_VERDICT}, $unreviewed) and ${STATUS_MAY_TREND} and ${visibleTo('$viewerId')} and ${wantedBy('$viewerId')}
     order by s.account_id, is_readable desc, ts.score desc, s.id desc
   ) best
   order by is_readable desc, score desc, id desc limit $limit offset $offset`,
)

/** Hashtags that trend, as ids, the strongest first; none where the owner wants no trends. */
export async function readTrendingTags(read: Read, { part }: { part: Part }): Promise<string[]> {
  const { enabled, unreviewed } = await readTrendsSettings(read)
  if (!enabled) return []
  const rows = await findTags(read.db, { limit: part.limit, offset: part.offset, unreviewed })
  return rows.map((row) => row.id)
}

/** The cards of pages that trend, as ids: first those in a language that the reader understands, the strongest first. */
export async function readTrendingLinks(read: Read, input: Reader & { part: Part }): Promise<string[]> {
  return readFor(read, { find: findLinks, ...input })
}

/**
 * Statuses that trend, as ids, in the same order, one of each author: those that the reader may see and wants to, by what
 * holds at this moment and not when they were measured.
 */
export async function readTrendingStatuses(read: Read, input: Reader & { part: Part }): Promise<string[]> {
  return readFor(read, { find: findStatuses, ...input })
}

async function readFor(
  read: Read,
  { find, viewerId, language, part }: Reader & { part: Part; find: typeof findLinks },
): Promise<string[]> {
  const { enabled, unreviewed } = await readTrendsSettings(read)
  if (!enabled) return []
  const rows = await find(read.db, { ...part, unreviewed, viewerId, language })
  return rows.map((row) => row.id)
}
