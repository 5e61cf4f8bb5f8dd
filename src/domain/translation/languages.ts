import { Unavailable } from '../../lib/errors.ts'
import { TranslationFailed, UNKNOWN_LANGUAGE } from '../../platform/translation/translator.ts'
import type { Translator } from '../../platform/translation/translator.ts'
import type { Ctx } from '../context.ts'

/** From which language into which others. */
export type LanguagePairs = ReadonlyMap<string, readonly string[]>

/** What a service can do changes seldom. */
const KEPT_MS = 24 * 3_600_000

const REASONS = {
  quota: 'What this server may have translated is used up for now',
  haste: 'Too much is being translated at the moment, please try again later',
  answer: 'The service that translates does not answer at the moment, please try again later',
}

const kept = new WeakMap<Translator, { until: number; pairs: Promise<LanguagePairs> }>()

/** What the service of this server can translate; empty where there is none. @throws Unavailable */
export async function findTranslationLanguages({
  translator,
  now,
  log,
}: Pick<Ctx, 'translator' | 'now' | 'log'>): Promise<LanguagePairs> {
  if (translator === null) return new Map()
  const at = now().getTime()
  const known = kept.get(translator)
  if (known && known.until > at) return known.pairs
  const pairs = asking({ log }, translator.languages())
  kept.set(translator, { until: at + KEPT_MS, pairs })
  // What could not be had now is asked again by the next who wants it.
  pairs.catch(() => kept.delete(translator))
  return pairs
}

/** Waits for the service, and tells a client what it has to know of a failure. @throws Unavailable */
export async function asking<T>({ log }: Pick<Ctx, 'log'>, answer: Promise<T>): Promise<T> {
  return answer.catch((err: unknown) => {
    if (!(err instanceof TranslationFailed)) throw err
    log.warn({ err }, 'nothing was translated')
    throw new Unavailable(REASONS[err.reason])
  })
}

/** The languages as the service calls them; null for a pair that it can't do. `source`: null where nobody knows it. */
export function findPair(
  pairs: LanguagePairs,
  { source, target }: { source: string | null; target: string },
): { source: string | null; target: string } | null {
  const from = source === null ? UNKNOWN_LANGUAGE : findLanguage([...pairs.keys()], source)
  const into = from === null ? null : findLanguage(pairs.get(from) ?? [], target)
  if (from === null || into === null) return null
  return { source: from === UNKNOWN_LANGUAGE ? null : from, target: into }
}

/** The very language, or the one that it is a variant of. */
function findLanguage(names: readonly string[], wanted: string): string | null {
  const name = wanted.toLowerCase().replace('_', '-')
  return [name, name.split('-')[0]!].find((one) => names.includes(one)) ?? null
}
