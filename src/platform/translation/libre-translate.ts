import type { Fetcher } from '../fetch/fetcher.ts'
import { requestJson, readLanguageCode, readTexts, TranslationError, UNKNOWN_LANGUAGE } from './translator.ts'
import type { Translator } from './translator.ts'

/** The API key is invalid, or its quota is exceeded. */
const FORBIDDEN = 403

/** Creates a translator for LibreTranslate, which is often self-hosted (API: https://docs.libretranslate.com/api/). */
export function createLibreTranslate(
  { endpoint, apiKey }: { endpoint: string; apiKey: string | null },
  { fetcher }: { fetcher: Fetcher },
): Translator {
  const request = async (path: string, body?: object) =>
    requestJson(fetcher, { url: `${endpoint}${path}`, quotaStatus: FORBIDDEN, ...(body && { body }) })
  // Language codes in the spelling of the service, which requests must use.
  let spellings = new Map<string, string>()
  return {
    provider: 'LibreTranslate',
    async listLanguages() {
      const response = await request('/languages')
      if (!Array.isArray(response)) throw new TranslationError('response', 'the service listed no languages')
      const spelled = new Map<string, string>()
      const read = (code: unknown): string[] => {
        const language = readLanguageCode(code)
        if (language !== null) spelled.set(language, String(code))
        return language === null ? [] : [language]
      }
      const pairs = new Map<string, string[]>()
      for (const { code, targets } of response as { code?: unknown; targets?: unknown }[]) {
        const [source] = read(code)
        if (source !== undefined && Array.isArray(targets)) pairs.set(source, targets.flatMap(read))
      }
      spellings = spelled
      const all = new Set([...pairs.values()].flat())
      for (const [source, targets] of pairs)
        pairs.set(
          source,
          targets.filter((target) => target !== source),
        )
      return pairs.set(UNKNOWN_LANGUAGE, [...all])
    },
    async translate({ pieces, source, target }) {
      const spelled = (language: string) => spellings.get(language) ?? language
      const response = (await request('/translate', {
        q: pieces,
        source: source === null ? 'auto' : spelled(source),
        target: spelled(target),
        format: 'html',
        ...(apiKey !== null && { api_key: apiKey }),
      })) as { translatedText?: unknown; detectedLanguage?: unknown } | null
      const [detected] = [response?.detectedLanguage].flat() as ({ language?: unknown } | undefined)[]
      return {
        texts: readTexts(response?.translatedText, pieces.length),
        source: readLanguageCode(detected?.language) ?? source,
      }
    },
  }
}
