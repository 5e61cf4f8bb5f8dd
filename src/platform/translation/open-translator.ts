import { createFetcher } from '../fetch/fetcher.ts'
import type { Fetcher, FetcherOptions } from '../fetch/fetcher.ts'
import { PRIVATE_RANGES } from '../fetch/private-ranges.ts'
import { createDeepL } from './deepl.ts'
import { createLibreTranslate } from './libre-translate.ts'
import type { TranslationConfig } from './read-translation-settings.ts'
import type { Translator } from './translator.ts'

const WEB_PORTS = [80, 443]

/**
 * Returns the configured service with its own fetcher: an administrator may configure a private address and any port,
 * which no other requests may reach.
 */
export function openTranslator(
  config: TranslationConfig,
  options: FetcherOptions,
): { translator: Translator; fetcher: Fetcher } {
  if (config.service === 'deepl') {
    const fetcher = createFetcher(options)
    return { fetcher, translator: createDeepL(config, { fetcher }) }
  }
  const port = Number(new URL(config.endpoint).port)
  const allowedPrivate = [...(options.allowedPrivate ?? []), ...PRIVATE_RANGES]
  const fetcher = createFetcher({ ...options, allowedPrivate, ports: port === 0 ? WEB_PORTS : [port] })
  return { fetcher, translator: createLibreTranslate(config, { fetcher }) }
}
