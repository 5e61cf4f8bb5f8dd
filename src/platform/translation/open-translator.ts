import { createFetcher } from '../fetch/fetcher.ts'
import type { Fetcher, FetcherOptions } from '../fetch/fetcher.ts'
import { createDeepL } from './deepl.ts'
import { createLibreTranslate } from './libre-translate.ts'
import type { TranslationConfig } from './read-translation-settings.ts'
import type { Translator } from './translator.ts'

/** This machine and private networks, where a self-hosted service often runs. */
const PRIVATE_RANGES = ['127.0.0.0/8', '::1/128', '10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7']

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
