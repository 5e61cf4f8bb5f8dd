import type { EnvironmentReader } from '../config/environment-reader.ts'

/** The configured translation service. */
export type TranslationConfig =
  | { service: 'libretranslate'; endpoint: string; apiKey: string | null }
  | { service: 'deepl'; apiKey: string; plan: 'free' | 'pro' }

/** Reads the settings of the translation service. Returns null if none is configured. */
export function readTranslationSettings(reader: EnvironmentReader): TranslationConfig | null {
  const endpoint = readEndpoint(reader)
  const apiKey = reader.text('DEEPL_API_KEY')
  const plan = reader.choice('DEEPL_PLAN', 'free', ['free', 'pro'])
  if (endpoint === null) reader.requireSetting('LIBRE_TRANSLATE_ENDPOINT', ['LIBRE_TRANSLATE_API_KEY'])
  if (apiKey === null) reader.requireSetting('DEEPL_API_KEY', ['DEEPL_PLAN'])
  if (endpoint !== null && apiKey !== null) {
    reader.reportProblem('LIBRE_TRANSLATE_ENDPOINT and DEEPL_API_KEY', 'cannot both be set: there is one service')
  }
  if (endpoint !== null) return { service: 'libretranslate', endpoint, apiKey: reader.text('LIBRE_TRANSLATE_API_KEY') }
  return apiKey === null ? null : { service: 'deepl', apiKey, plan }
}

function readEndpoint(reader: EnvironmentReader): string | null {
  const value = reader.text('LIBRE_TRANSLATE_ENDPOINT')
  if (value === null) return null
  const url = URL.parse(value)
  const isPlain = url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.search + url.hash === ''
  if (!isPlain) {
    reader.reportProblem(
      'LIBRE_TRANSLATE_ENDPOINT',
      `must be an address such as https://translate.example, not "${value}"`,
    )
    return value
  }
  return url.href.replace(/\/+$/, '')
}
