import type { Environment } from '../environment.ts'

/** Which service translates, and how it is reached. */
export type TranslationConfig =
  | { service: 'libretranslate'; endpoint: string; apiKey: string | null }
  | { service: 'deepl'; apiKey: string; plan: 'free' | 'pro' }

/** What the environment says of a service that translates; null where it names none. */
export function readTranslation(read: Environment): TranslationConfig | null {
  const endpoint = readEndpoint(read)
  const apiKey = read.text('DEEPL_API_KEY')
  const plan = read.choice('DEEPL_PLAN', 'free', ['free', 'pro'])
  if (endpoint === null) read.need('LIBRE_TRANSLATE_ENDPOINT', ['LIBRE_TRANSLATE_API_KEY'])
  if (apiKey === null) read.need('DEEPL_API_KEY', ['DEEPL_PLAN'])
  if (endpoint !== null && apiKey !== null) {
    read.wrong('LIBRE_TRANSLATE_ENDPOINT and DEEPL_API_KEY', 'can not both be set: there is one service')
  }
  if (endpoint !== null) return { service: 'libretranslate', endpoint, apiKey: read.text('LIBRE_TRANSLATE_API_KEY') }
  return apiKey === null ? null : { service: 'deepl', apiKey, plan }
}

function readEndpoint(read: Environment): string | null {
  const value = read.text('LIBRE_TRANSLATE_ENDPOINT')
  if (value === null) return null
  const url = URL.parse(value)
  const isPlain = url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.search + url.hash === ''
  if (!isPlain) {
    read.wrong('LIBRE_TRANSLATE_ENDPOINT', `must be an address such as https://translate.example, not "${value}"`)
    return value
  }
  return url.href.replace(/\/+$/, '')
}
