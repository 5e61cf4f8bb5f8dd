import { ServiceUnavailableError } from '../../lib/errors.ts'
import { TranslationError, UNKNOWN_LANGUAGE } from '../../platform/translation/translator.ts'
import type { Translator } from '../../platform/translation/translator.ts'
import type { Ctx } from '../context.ts'

/** The target languages for each source language. */
export type LanguagePairs = ReadonlyMap<string, readonly string[]>

/** How long the languages of a service are cached; they rarely change. */
const CACHE_MS = 24 * 3_600_000

const FAILURE_MESSAGES = {
  quota: 'What this server may have translated is used up for now',
  'rate-limit': 'Too much is being translated at the moment, please try again later',
  response: 'The service that translates does not answer at the moment, please try again later',
}

const cache = new WeakMap<Translator, { expiresAt: number; pairs: Promise<LanguagePairs> }>()

/**
 * Returns the language pairs of the translation service; empty if none is configured.
 * @throws ServiceUnavailableError if the service fails
 */
export async function findTranslationLanguages({
  translator,
  now,
  log,
}: Pick<Ctx, 'translator' | 'now' | 'log'>): Promise<LanguagePairs> {
  if (translator === null) return new Map()
  const at = now().getTime()
  const cached = cache.get(translator)
  if (cached && cached.expiresAt > at) return cached.pairs
  const pairs = awaitTranslator({ log }, translator.listLanguages())
  cache.set(translator, { expiresAt: at + CACHE_MS, pairs })
  // A failed request is not cached: the next caller sends it again.
  pairs.catch(() => cache.delete(translator))
  return pairs
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

/**
 * Returns a language pair with the codes of the service; null if it does not support the pair. `source` is null if the
 * source language is unknown.
 */
export function findPair(
  pairs: LanguagePairs,
  { source, target }: { source: string | null; target: string },
): { source: string | null; target: string } | null {
  const from = source === null ? UNKNOWN_LANGUAGE : findLanguage([...pairs.keys()], source)
  const into = from === null ? null : findLanguage(pairs.get(from) ?? [], target)
  if (from === null || into === null) return null
  return { source: from === UNKNOWN_LANGUAGE ? null : from, target: into }
}

/** Returns the language itself, or the language of which it is a variant (`pt` for `pt-BR`). */
function findLanguage(names: readonly string[], language: string): string | null {
  const name = language.toLowerCase().replace('_', '-')
  return [name, name.split('-')[0]!].find((candidate) => names.includes(candidate)) ?? null
}
