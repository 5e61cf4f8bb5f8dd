import { ByteLimitedCache } from '../../lib/memory/byte-limited-cache.ts'
import { ForbiddenError, NotFoundError } from '../../lib/errors.ts'
import { statement } from '../../platform/db/statement.ts'
import { UNKNOWN_LANGUAGE } from '../../platform/translation/translator.ts'
import type { Translator } from '../../platform/translation/translator.ts'
import type { Ctx } from '../context.ts'
import { findVisibleStatus } from '../access/visibility.ts'
import { awaitTranslator, findTranslationPair } from './translation-languages.ts'
import { htmlFragment, parseHtmlFragment, parseTextFragment, textFragment } from './fragments.ts'

/** The maximum memory of the translation cache in one process, and how long its entries are valid. */
const CACHE_BYTES = 8 * 1024 * 1024
const CACHE_MS = 24 * 3_600_000

/** The translated texts of a status. */
export interface TranslatedStatus {
  /** Sanitized HTML. */
  content: string
  spoilerText: string
  /** The language of the translation, and the original language as detected by the service. */
  language: string
  sourceLanguage: string
  /** The name of the translation service. */
  provider: string
  /** The attachments with a description. */
  media: { id: string; description: string }[]
  poll: { id: string; options: string[] } | null
}

interface StatusTexts {
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

const find = statement<{ params: { statusId: string }; row: StatusTexts }>(
  `select s.id, s.version, s.visibility, s.local_only, s.language, s.content, s.spoiler_text,
     (select jsonb_agg(jsonb_build_object('id', m.id::text, 'description', m.description) order by m.position, m.id)
        from media_attachments m
        where m.status_id = s.id and m.withdrawn_at is null and m.description <> '') as media,
     (select jsonb_build_object('id', p.id::text, 'options', p.options) from polls p where p.status_id = s.id) as poll
   from statuses s where s.id = $statusId`,
)
const findLocale = statement<{ params: { viewerId: string }; row: { locale: string } }>(
  `select locale from users where account_id = $viewerId`,
)

interface CacheEntry {
  /** Milliseconds since the epoch. */
  expiresAt: number
  translated: TranslatedStatus
}

interface TranslatorCache {
  completed: ByteLimitedCache<CacheEntry>
  /** Running translations, which parallel requests share. */
  inFlight: Map<string, Promise<TranslatedStatus>>
}

const caches = new WeakMap<Translator, TranslatorCache>()

/**
 * Translates a status into `language` or, without it, into the language of the viewer. Only texts of public and
 * unlisted statuses are sent to the translation service. Mastodon: POST /api/v1/statuses/:id/translate
 * @throws NotFoundError if the viewer may not see the status, or if no service is configured; ForbiddenError for other
 *   visibilities and for languages that the service does not support; ServiceUnavailableError if the service fails
 */
export async function translateStatus(
  ctx: Ctx,
  { id, viewerId, language }: { id: string; viewerId: string; language: string | undefined },
): Promise<TranslatedStatus> {
  const { translator } = ctx
  const visible = await findVisibleStatus(ctx, { id, viewerId })
  const [texts] = await find(ctx.db, { statusId: visible.reblog_of_id ?? visible.id })
  if (translator === null || !texts) throw new NotFoundError()
  if (texts.local_only || (texts.visibility !== 'public' && texts.visibility !== 'unlisted')) throw new ForbiddenError()
  const targetLanguage = language ?? (await findLocale(ctx.db, { viewerId }))[0]?.locale ?? 'en'
  const { now, log } = ctx
  const pair = await findTranslationPair(translator, { now, log, source: texts.language, target: targetLanguage })
  if (!pair) throw new ForbiddenError()

  const { completed, inFlight } = cacheOf(translator)
  const key = `${texts.id}.${texts.version}.${pair.target}`
  const at = now().getTime()
  const cached = completed.get(key)
  if (cached && cached.expiresAt > at) return cached.translated
  const pending = inFlight.get(key)
  if (pending) return pending
  const work = awaitTranslator(ctx, translate(translator, { status: texts, ...pair })).then((translated) => {
    completed.set(key, { expiresAt: at + CACHE_MS, translated }, 2 * JSON.stringify(translated).length)
    return translated
  })
  inFlight.set(key, work)
  try {
    return await work
  } finally {
    inFlight.delete(key)
  }
}

async function translate(
  translator: Translator,
  { status, source, target }: { status: StatusTexts; source: string | null; target: string },
): Promise<TranslatedStatus> {
  const { content, spoiler_text: spoilerText, media, poll } = status
  const texts = [spoilerText, ...(poll?.options ?? []), ...(media ?? []).map(({ description }) => description)]
  const fragments = [htmlFragment(content), ...texts.map((text) => textFragment(text))]
  // Blank texts are not sent.
  const sentFragments = fragments.filter((fragment) => fragment.trim() !== '')
  const response =
    sentFragments.length === 0
      ? { texts: sentFragments, source }
      : await translator.translate({ pieces: sentFragments, source, target })
  const remaining = [...response.texts]
  const [body = '', ...rest] = fragments.map((fragment) => (fragment.trim() === '' ? '' : remaining.shift()!))
  const [warning = '', ...others] = rest.map((fragment) => parseTextFragment(fragment))
  const options = others.splice(0, poll?.options.length ?? 0)
  return {
    content: parseHtmlFragment(body),
    spoilerText: warning,
    language: target,
    sourceLanguage: response.source ?? UNKNOWN_LANGUAGE,
    provider: translator.provider,
    media: (media ?? []).map(({ id }, n) => ({ id, description: others[n]! })),
    poll: poll && { id: poll.id, options },
  }
}

function cacheOf(translator: Translator): TranslatorCache {
  let cache = caches.get(translator)
  if (!cache) {
    cache = { completed: new ByteLimitedCache({ maxBytes: CACHE_BYTES }), inFlight: new Map() }
    caches.set(translator, cache)
  }
  return cache
}
