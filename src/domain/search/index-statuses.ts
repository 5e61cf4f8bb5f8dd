import { htmlToPlainText } from '../../lib/html/html-to-plain-text.ts'
import { tokenizeForIndex } from '../../lib/text/search-words.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Ctx } from '../context.ts'
import { HAS_EMBED } from './index-embeds.ts'
import { quoteLexeme, marker, stemWords } from './lexemes.ts'
import { slicesOf } from './time-slices.ts'

/** The maximum position of a word in all texts of a status together. PostgreSQL does not support much higher ones. */
const MAX_POSITION = 10_000

/** The distance between two texts, so that no phrase matches across them. */
const POSITION_GAP = 10

interface IndexedStatus {
  id: string
  version: number
  account_id: string
  content: string
  spoiler_text: string
  sensitive: boolean
  language: string | null
  is_reply: boolean
  is_quote: boolean
  poll_options: string[] | null
  media: { type: string; description: string | null }[]
  hashtags: string[]
}

const load = statement<{ params: { ids: readonly string[] }; row: IndexedStatus }>(
  `select s.id, s.version, s.account_id, s.content, s.spoiler_text, s.sensitive, s.language,
     s.in_reply_to_id is not null or s.in_reply_to_uri is not null as is_reply,
     exists (select from quotes q where q.status_id = s.id offset 0) as is_quote,
     (select p.options from polls p where p.status_id = s.id) as poll_options,
     coalesce((select jsonb_agg(jsonb_build_object('type', m.type, 'description', m.description) order by m.position, m.id)
       from media_attachments m where m.status_id = s.id and m.withdrawn_at is null), '[]') as media,
     array(select t.name from status_tags st join tags t on t.id = st.tag_id where st.status_id = s.id) as hashtags
   from unnest($ids::bigint[]) requested (id) join statuses s on s.id = requested.id
   where s.reblog_of_id is null and s.deleted_at is null`,
)
// The transaction that changes the card of a status locks the status too, so that both see each other's changes.
const lockStatuses = statement<{ params: { ids: readonly string[] } }>(
  `select id from statuses where id = any($ids::bigint[]) order by id for share`,
)
// An older version of a status does not overwrite the entry of a newer one. Whether the author is indexable and what
// the card contains is read only here, because these can change without a new version of the status.
const upsertSearchEntries = statement<{
  params: { statusIds: readonly string[]; versions: readonly number[]; documents: readonly string[] }
}>(
  `insert into status_search_entries (status_id, status_version, lexemes)
   select s.id, read.version, read.lexemes::tsvector
     || (case when s.visibility = 'public' and a.indexable then '${marker.open}' else '${marker.other}' end)::tsvector
     || array_to_tsvector(case when ${HAS_EMBED} then array['${marker.property('embed')}'] else '{}' end)
   from unnest($statusIds::bigint[], $versions::int[], $documents::text[]) read (id, version, lexemes)
     join statuses s on s.id = read.id join accounts a on a.id = s.account_id
   where s.deleted_at is null order by s.id
   on conflict (status_id) do update set status_version = excluded.status_version, lexemes = excluded.lexemes
     where status_search_entries.status_version <= excluded.status_version`,
)

/** Adds statuses to the search index, or replaces their entries. */
export async function indexStatuses(ctx: Ctx, { ids }: { ids: Iterable<string> }): Promise<void> {
  const sources = await load(ctx.db, { ids: [...new Set(ids)] })
  if (sources.length === 0) return
  const read = sources.map((source) => ({ source, words: wordPositions(source) }))
  const stems = await stemWords(ctx, { words: read.flatMap(({ words }) => [...words.keys()]) })
  const documents = read.map(({ source, words }) => {
    const positionsByStem = new Map<string, number[]>()
    for (const [word, at] of words) {
      const stem = stems.get(word)!
      positionsByStem.set(stem, [...(positionsByStem.get(stem) ?? []), ...at])
    }
    const positionedLexemes = [...positionsByStem].map(([stem, at]) => `${quoteLexeme(stem)}:${at.join(',')}`)
    return [...positionedLexemes, ...markersOf(source).map(quoteLexeme)].join(' ')
  })
  const statusIds = sources.map(({ id }) => id)
  await ctx.write(async (tx) => {
    await lockStatuses(tx.db, { ids: statusIds })
    await upsertSearchEntries(tx.db, { statusIds, versions: sources.map(({ version }) => version), documents })
  })
}

/** Effect: adds new or changed statuses to the search index. */
export async function indexChangedStatuses(ctx: Ctx, payloads: readonly { statusId: string }[]): Promise<void> {
  await indexStatuses(ctx, { ids: payloads.map(({ statusId }) => statusId) })
}

/** Returns the positions of each word of a status, from 1. */
function wordPositions({
  spoiler_text: spoilerText,
  content,
  poll_options: options,
  media,
}: IndexedStatus): Map<string, number[]> {
  const texts = [
    spoilerText,
    htmlToPlainText(content),
    ...(options ?? []),
    ...media.map(({ description }) => description ?? ''),
  ]
  const words = new Map<string, number[]>()
  let first = 1
  for (const text of texts) {
    let last = first
    for (const { word, place } of tokenizeForIndex(text)) {
      last = first + place
      if (last > MAX_POSITION) return words
      const at = words.get(word)
      if (at) at.push(last)
      else words.set(word, [last])
    }
    first = last + POSITION_GAP
  }
  return words
}

function markersOf(status: IndexedStatus): string[] {
  const { id, account_id: accountId, language, hashtags } = status
  return [
    marker.author(accountId),
    ...slicesOf(id),
    ...hashtags.map(marker.hashtag),
    ...propertiesOf(status).map(marker.property),
    ...(language === null ? [] : new Set([marker.language(language), marker.language(language.split('-')[0]!)])),
  ]
}

// Other servers than Mastodon send a span within a paragraph.
const QUOTE_LINK = /<(?:p|span) class="quote-inline[ "](?:(?!<\/p>).)*?<\/a>/gs
const LINK = /<a\b(?![^>]*\bclass="[^"]*\b(?:mention|hashtag)\b)/

/** Returns the properties of a status for the operators `has:` and `is:`. */
function propertiesOf(status: IndexedStatus): string[] {
  const types = new Set(status.media.map(({ type }) => (type === 'gifv' ? 'video' : type)))
  const properties: Record<string, boolean> = {
    image: types.has('image'),
    video: types.has('video'),
    audio: types.has('audio'),
    media: types.size > 0,
    poll: status.poll_options !== null,
    link: LINK.test(status.content.replace(QUOTE_LINK, '')),
    quote: status.is_quote,
    reply: status.is_reply,
    sensitive: status.sensitive,
  }
  return Object.keys(properties).filter((name) => properties[name])
}
