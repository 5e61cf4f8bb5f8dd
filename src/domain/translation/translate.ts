import { ByteCache } from '../../lib/byte-cache.ts'
import { Forbidden, NotFound } from '../../lib/errors.ts'
import { statement } from '../../platform/db/statement.ts'
import { UNKNOWN_LANGUAGE } from '../../platform/translation/translator.ts'
import type { Translator } from '../../platform/translation/translator.ts'
import type { Ctx } from '../context.ts'
import { findVisibleStatus } from '../statuses/visibility.ts'
import { asking, findPair, findTranslationLanguages } from './languages.ts'
import { htmlPiece, readHtmlPiece, readTextPiece, textPiece } from './pieces.ts'

/** How much memory translations may take in one process, and for how long they are kept. */
const CACHE_BYTES = 8 * 1024 * 1024
const KEPT_MS = 24 * 3_600_000

/** The words of a status in another language. */
export interface TranslatedStatus {
  /** Clean HTML. */
  content: string
  spoilerText: string
  /** The language that it is in now, and that it was in; the latter as the service found it. */
  language: string
  sourceLanguage: string
  /** Who translated. */
  provider: string
  /** Of files that have a description. */
  media: { id: string; description: string }[]
  poll: { id: string; options: string[] } | null
}

interface Words {
  id: string
  version: number
  visibility: string
  local_only: boolean
  language: string | null
  content: string
  spoiler_text: string
  media: { id: string; description: string }[] | null
  poll: { id: string; options: string[] } | null
}

const find = statement<{ params: { reblogOfId: string }; row: Words }>(
  `select s.id, s.version, s.visibility, s.local_only, s.language, s.content, s.spoiler_text,
     (select jsonb_agg(jsonb_build_object('id', m.id::text, 'description', m.description) order by m.position, m.id)
        from media_attachments m
        where m.status_id = s.id and m.withdrawn_at is null and m.description <> '') as media,
     (select jsonb_build_object('id', p.id::text, 'options', p.options) from polls p where p.status_id = s.id) as poll
   from statuses s where s.id = $reblogOfId`,
)
const findLocale = statement<{ params: { viewerId: string }; row: { locale: string } }>(
  `select locale from users where account_id = $viewerId`,
)

interface Entry {
  until: number
  translated: TranslatedStatus
}

interface Kept {
  done: ByteCache<Entry>
  /** What many ask for at the same time is translated once. */
  underWay: Map<string, Promise<TranslatedStatus>>
}

const caches = new WeakMap<Translator, Kept>()

/**
 * A status in another language: the viewer's, unless said. Only what everybody may read is ever shown to the service.
 * @throws NotFound for what the viewer may not see, and where nothing translates · Forbidden for what is not for everybody
 *   and for languages that the service does not know · Unavailable when it does not do its work
 */
export async function translateStatus(
  ctx: Ctx,
  { id, viewerId, language }: { id: string; viewerId: string; language: string | undefined },
): Promise<TranslatedStatus> {
  const { translator } = ctx
  const visible = await findVisibleStatus(ctx, { id, viewerId })
  const [words] = await find(ctx.db, { reblogOfId: visible.reblog_of_id ?? visible.id })
  if (translator === null || !words) throw new NotFound()
  if (words.local_only || (words.visibility !== 'public' && words.visibility !== 'unlisted')) throw new Forbidden()
  const wanted = language ?? (await findLocale(ctx.db, { viewerId }))[0]?.locale ?? 'en'
  const pair = findPair(await findTranslationLanguages(ctx), { source: words.language, target: wanted })
  if (!pair) throw new Forbidden()

  const { done, underWay } = cacheOf(translator)
  const key = `${words.id}.${words.version}.${pair.target}`
  const now = ctx.now().getTime()
  const known = done.get(key)
  if (known && known.until > now) return known.translated
  const begun = underWay.get(key)
  if (begun) return begun
  const work = asking(ctx, translate(translator, { words, ...pair })).then((translated) => {
    done.set(key, { until: now + KEPT_MS, translated }, 2 * JSON.stringify(translated).length)
    return translated
  })
  underWay.set(key, work)
  try {
    return await work
  } finally {
    underWay.delete(key)
  }
}

async function translate(
  translator: Translator,
  { words, source, target }: { words: Words; source: string | null; target: string },
): Promise<TranslatedStatus> {
  const { content, spoiler_text: spoilerText, media, poll } = words
  const texts = [spoilerText, ...(poll?.options ?? []), ...(media ?? []).map(({ description }) => description)]
  const given = [htmlPiece(content), ...texts.map((text) => textPiece(text))]
  // What says nothing is not sent.
  const pieces = given.filter((piece) => piece.trim() !== '')
  const answer = pieces.length === 0 ? { pieces, source } : await translator.translate({ pieces, source, target })
  const left = [...answer.pieces]
  const [body = '', ...rest] = given.map((piece) => (piece.trim() === '' ? '' : left.shift()!))
  const [warning = '', ...others] = rest.map((piece) => readTextPiece(piece))
  const options = others.splice(0, poll?.options.length ?? 0)
  return {
    content: readHtmlPiece(body),
    spoilerText: warning,
    language: target,
    sourceLanguage: answer.source ?? UNKNOWN_LANGUAGE,
    provider: translator.provider,
    media: (media ?? []).map(({ id }, n) => ({ id, description: others[n]! })),
    poll: poll && { id: poll.id, options },
  }
}

function cacheOf(translator: Translator): Kept {
  let cache = caches.get(translator)
  if (!cache) {
    cache = { done: new ByteCache({ maxBytes: CACHE_BYTES }), underWay: new Map() }
    caches.set(translator, cache)
  }
  return cache
}
