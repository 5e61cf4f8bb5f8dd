import { createFetcher } from '../fetch.ts'
import type { Fetcher, FetcherOptions } from '../fetch.ts'
import { createDeepL } from './deepl.ts'
import { createLibreTranslate } from './libre-translate.ts'
import type { TranslationConfig } from './settings.ts'
import type { Translator } from './translator.ts'

/** This machine and private networks, where many run a service of their own. */
const NEARBY = ['127.0.0.0/8', '::1/128', '10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7']

const WEB_PORTS = [80, 443]

/**
 * The service of the settings, with an agent of its own: whoever runs this server may name a nearby address and any port,
 * which is opened for nothing but this.
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
  const allowedPrivate = [...(options.allowedPrivate ?? []), ...NEARBY]
  const fetcher = createFetcher({ ...options, allowedPrivate, ports: port === 0 ? WEB_PORTS : [port] })
  return { fetcher, translator: createLibreTranslate(config, { fetcher }) }
}
