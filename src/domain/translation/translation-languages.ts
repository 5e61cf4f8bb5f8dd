import { ServiceUnavailableError } from '../../lib/errors.ts'
import { listLanguages } from '../../lib/text/language.ts'
import { TranslationError, UNKNOWN_LANGUAGE } from '../../platform/translation/translator.ts'
import type { Translator } from '../../platform/translation/translator.ts'
import type { Ctx } from '../context.ts'
import { findLanguage } from './find-language.ts'

/** The target languages for each source language. */
type LanguagePairs = ReadonlyMap<string, readonly string[]>

/** How long the languages of a service are cached; they rarely change. */
const CACHE_MS = 24 * 3_600_000

const FAILURE_MESSAGES = {
  quota: 'What this server may have translated is used up for now',
  'rate-limit': 'Too much is being translated at the moment, please try again later',
  response: 'The service that translates does not answer at the moment, please try again later',
}

interface SupportedLanguages {
  /** The pairs of the service. */
  pairs: LanguagePairs
  /** These pairs, and those of the languages of statuses that the service has under another code. */
  listed: LanguagePairs
}

const cache = new WeakMap<Translator, { expiresAt: number; languages: Promise<SupportedLanguages> }>()

/**
 * Returns the languages that statuses can have, with the languages into which they can be translated; empty if no
 * service is configured. Clients look up the language of a status in them.
 * @throws ServiceUnavailableError if the service fails
 */
export async function findTranslationLanguages({
  translator,
  now,
  log,
}: Pick<Ctx, 'translator' | 'now' | 'log'>): Promise<LanguagePairs> {
  return translator === null ? new Map() : (await loadLanguages(translator, { now, log })).listed
}

/**
 * Returns a language pair with the codes of the service; null if it does not support the pair. `source` is null if the
 * source language is unknown.
 * @throws ServiceUnavailableError if the service fails
 */
export async function findTranslationPair(
  translator: Translator,
  { now, log, source, target }: Pick<Ctx, 'now' | 'log'> & { source: string | null; target: string },
): Promise<{ source: string | null; target: string } | null> {
  const { pairs } = await loadLanguages(translator, { now, log })
  const from = source === null ? UNKNOWN_LANGUAGE : findLanguage([...pairs.keys()], source)
  const into = from === null ? null : findLanguage(pairs.get(from) ?? [], target)
  if (from === null || into === null) return null
  return { source: from === UNKNOWN_LANGUAGE ? null : from, target: into }
}

async function loadLanguages(
  translator: Translator,
  { now, log }: Pick<Ctx, 'now' | 'log'>,
): Promise<SupportedLanguages> {
  const at = now().getTime()
  const cached = cache.get(translator)
  if (cached && cached.expiresAt > at) return cached.languages
  const languages = awaitTranslator({ log }, translator.listLanguages()).then((pairs) => ({
    pairs,
    listed: withStatusLanguages(pairs),
  }))
  cache.set(translator, { expiresAt: at + CACHE_MS, languages })
  // A failed request is not cached: the next caller sends it again.
  languages.catch(() => cache.delete(translator))
  return languages
}

function withStatusLanguages(pairs: LanguagePairs): LanguagePairs {
  const names = [...pairs.keys()]
  const listed = new Map(pairs)
  for (const { code } of listLanguages()) {
    const name = findLanguage(names, code)
    if (name === null || listed.has(code)) continue
    const targets = pairs.get(name) ?? []
    listed.set(
      code,
      targets.filter((target) => target !== code),
    )
  }
  return listed
}

/**
 * Awaits a response of the translation service, and turns its failures into API errors. @throws ServiceUnavailableError
 */
export async function awaitTranslator<T>({ log }: Pick<Ctx, 'log'>, response: Promise<T>): Promise<T> {
  return response.catch((err: unknown) => {
    if (!(err instanceof TranslationError)) throw err
    log.warn({ err }, 'The translation service failed')
    throw new ServiceUnavailableError(FAILURE_MESSAGES[err.reason])
  })
}
