import { plainText } from '../../lib/text/plainText.ts'
import { wordsToIndex } from '../../lib/text/searchWords.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Ctx } from '../context.ts'
import { HAS_EMBED } from './index-embeds.ts'
import { quoteLexeme, sign, stemWords } from './lexemes.ts'
import { slicesOf } from './time-slices.ts'

/** Of all texts of a status together; PostgreSQL does not tell higher places apart. */
const MAX_PLACE = 10_000

/** What one text ends with and the next one begins with is no phrase. */
const PLACES_BETWEEN = 10

interface Source {
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

const load = statement<{ params: { ids: readonly string[] }; row: Source }>(
  `select s.id, s.version, s.account_id, s.content, s.spoiler_text, s.sensitive, s.language,
     s.in_reply_to_id is not null or s.in_reply_to_uri is not null as is_reply,
     exists (select from quotes q where q.status_id = s.id offset 0) as is_quote,
     (select p.options from polls p where p.status_id = s.id) as poll_options,
     coalesce((select jsonb_agg(jsonb_build_object('type', m.type, 'description', m.description) order by m.position, m.id)
       from media_attachments m where m.status_id = s.id and m.withdrawn_at is null), '[]') as media,
     array(select t.name from status_tags st join tags t on t.id = st.tag_id where st.status_id = s.id) as hashtags
   from unnest($ids::bigint[]) wanted (id) join statuses s on s.id = wanted.id
   where s.reblog_of_id is null and s.deleted_at is null`,
)
// Whoever gives them another card holds them, too, so that each sees what the other one wrote.
const hold = statement<{ params: { ids: readonly string[] } }>(
  `select id from statuses where id = any($ids::bigint[]) order by id for share`,
)
// Whoever has read an older version does not write it over a newer one. Who lets everybody search is asked only now, and
// so is what the card plays, which comes when it comes.
const write = statement<{
  params: { words: readonly string[]; versions: readonly number[]; documents: readonly string[] }
}>(
  `insert into status_words (status_id, version, words)
   select s.id, read.version, read.words::tsvector
     || (case when s.visibility = 'public' and a.indexable then '${sign.open}' else '${sign.other}' end)::tsvector
     || array_to_tsvector(case when ${HAS_EMBED} then array['${sign.property('embed')}'] else '{}' end)
   from unnest($words::bigint[], $versions::int[], $documents::text[]) read (id, version, words)
     join statuses s on s.id = read.id join accounts a on a.id = s.account_id
   where s.deleted_at is null order by s.id
   on conflict (status_id) do update set version = excluded.version, words = excluded.words
     where status_words.version <= excluded.version`,
)

/** Enters what statuses say into the index by which they are searched, instead of what they said before. */
export async function indexStatuses(ctx: Ctx, { ids }: { ids: readonly string[] }): Promise<void> {
  const sources = await load(ctx.db, { ids })
  if (sources.length === 0) return
  const read = sources.map((source) => ({ source, words: readTexts(source) }))
  const stems = await stemWords(ctx, { words: read.flatMap(({ words }) => [...words.keys()]) })
  const documents = read.map(({ source, words }) => {
    const places = new Map<string, number[]>()
    for (const [word, at] of words) {
      const stem = stems.get(word)!
      places.set(stem, [...(places.get(stem) ?? []), ...at])
    }
    const placed = [...places].map(([stem, at]) => `${quoteLexeme(stem)}:${at.join(',')}`)
    return [...placed, ...signsOf(source).map(quoteLexeme)].join(' ')
  })
  const found = sources.map(({ id }) => id)
  await ctx.write(async (tx) => {
    await hold(tx.db, { ids: found })
    await write(tx.db, { words: found, versions: sources.map(({ version }) => version), documents })
  })
}

/** Effect: what somebody wrote, or what became of it, can be found. */
export async function indexStatus(ctx: Ctx, { statusId }: { statusId: string }): Promise<void> {
  await indexStatuses(ctx, { ids: [statusId] })
}

/** Each word of a status → its places, from 1 on. */
function readTexts({
  spoiler_text: spoilerText,
  content,
  poll_options: options,
  media,
}: Source): Map<string, number[]> {
  const texts = [spoilerText, plainText(content), ...(options ?? []), ...media.map((one) => one.description ?? '')]
  const words = new Map<string, number[]>()
  let first = 1
  for (const text of texts) {
    let last = first
    for (const { word, place } of wordsToIndex(text)) {
      last = first + place
      if (last > MAX_PLACE) return words
      const at = words.get(word)
      if (at) at.push(last)
      else words.set(word, [last])
    }
    first = last + PLACES_BETWEEN
  }
  return words
}

function signsOf(status: Source): string[] {
  const { id, account_id: accountId, language, hashtags } = status
  return [
    sign.author(accountId),
    ...slicesOf(id),
    ...hashtags.map(sign.hashtag),
    ...propertiesOf(status).map(sign.property),
    ...(language === null ? [] : new Set([sign.language(language), sign.language(language.split('-')[0]!)])),
  ]
}

const QUOTED_ADDRESS = /<p class="quote-inline">.*?<\/p>/gs
const LINK = /<a\b(?![^>]*\bclass="[^"]*\b(?:mention|hashtag)\b)/

/** What can be asked for by `has:` and `is:`. */
function propertiesOf(status: Source): string[] {
  const types = new Set(status.media.map(({ type }) => (type === 'gifv' ? 'video' : type)))
  const isTrue: Record<string, boolean> = {
    image: types.has('image'),
    video: types.has('video'),
    audio: types.has('audio'),
    media: types.size > 0,
    poll: status.poll_options !== null,
    link: LINK.test(status.content.replace(QUOTED_ADDRESS, '')),
    quote: status.is_quote,
    reply: status.is_reply,
    sensitive: status.sensitive,
  }
  return Object.keys(isTrue).filter((name) => isTrue[name])
}
