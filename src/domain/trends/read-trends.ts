import { statement } from '../../platform/db/statement.ts'
import type { Read } from '../context.ts'
import { IS_LINK_TRENDING, LINK_REVIEW, IS_TAG_TRENDING, TAG_REVIEW } from './trend-eligibility.ts'
import { readTrendsSettings } from './read-trends-settings.ts'

interface OffsetPage {
  limit: number
  offset: number
}

/**
 * `viewerId` is null for an anonymous viewer. `language` is the language of the request, used if the viewer chose none.
 */
interface TrendsReader {
  viewerId: string | null
  language: string
}

const findTags = statement<{ params: { limit: number; offset: number; unreviewed: boolean }; row: { id: string } }>(
  `select t.id from trending_tags tt join tags t on t.id = tt.tag_id
   where ${IS_TAG_TRENDING} and coalesce(${TAG_REVIEW}, $unreviewed)
   order by tt.score desc, t.id desc limit $limit offset $offset`,
)

// Trends in the viewer's languages come first. A regional variant such as `pt-BR` also matches the main language.
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
     left join preview_card_providers p on p.id = tl.publisher_id
   where ${IS_LINK_TRENDING} and coalesce(${LINK_REVIEW}, $unreviewed)
   order by ${isReadable('c.language')} desc, tl.score desc, c.id desc limit $limit offset $offset`,
)

/**
 * Returns the ids of trending hashtags, highest score first; none if trends are disabled.
 * Mastodon: GET /api/v1/trends/tags
 */
export async function listTrendingTags(read: Read, { page }: { page: OffsetPage }): Promise<string[]> {
  const { enabled, unreviewed } = await readTrendsSettings(read)
  if (!enabled) return []
  const rows = await findTags(read.db, { limit: page.limit, offset: page.offset, unreviewed })
  return rows.map((row) => row.id)
}

/**
 * Returns the ids of the cards of trending links: those in the viewer's languages first, then by score.
 * Mastodon: GET /api/v1/trends/links
 */
export async function listTrendingLinks(read: Read, input: TrendsReader & { page: OffsetPage }): Promise<string[]> {
  return listForReader(read, { find: findLinks, ...input })
}

async function listForReader(
  read: Read,
  { find, viewerId, language, page }: TrendsReader & { page: OffsetPage; find: typeof findLinks },
): Promise<string[]> {
  const { enabled, unreviewed } = await readTrendsSettings(read)
  if (!enabled) return []
  const rows = await find(read.db, { ...page, unreviewed, viewerId, language })
  return rows.map((row) => row.id)
}
