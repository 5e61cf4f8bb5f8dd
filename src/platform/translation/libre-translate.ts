import type { Fetcher } from '../fetch.ts'
import { askService, readLanguage, readPieces, TranslationFailed, UNKNOWN_LANGUAGE } from './translator.ts'
import type { Translator } from './translator.ts'

/** A key that is not good any more, or not good for more. */
const FORBIDDEN = 403

/** LibreTranslate, which many run themselves. Its API: https://docs.libretranslate.com/api/ */
export function createLibreTranslate(
  { endpoint, apiKey }: { endpoint: string; apiKey: string | null },
  { fetcher }: { fetcher: Fetcher },
): Translator {
  const ask = async (path: string, body?: object) =>
    askService(fetcher, { url: `${endpoint}${path}`, quotaStatus: FORBIDDEN, ...(body && { body }) })
  // Targets are told and asked for in the service's own spelling.
  let spellings = new Map<string, string>()
  return {
    provider: 'LibreTranslate',
    async languages() {
      const answer = await ask('/languages')
      if (!Array.isArray(answer)) throw new TranslationFailed('answer', 'the service told no languages')
      const spelled = new Map<string, string>()
      const read = (code: unknown): string[] => {
        const language = readLanguage(code)
        if (language !== null) spelled.set(language, String(code))
        return language === null ? [] : [language]
      }
      const pairs = new Map<string, string[]>()
      for (const { code, targets } of answer as { code?: unknown; targets?: unknown }[]) {
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
      const answer = (await ask('/translate', {
        q: pieces,
        source: source === null ? 'auto' : spelled(source),
        target: spelled(target),
        format: 'html',
        ...(apiKey !== null && { api_key: apiKey }),
      })) as { translatedText?: unknown; detectedLanguage?: unknown } | null
      const [detected] = [answer?.detectedLanguage].flat() as ({ language?: unknown } | undefined)[]
      return {
        pieces: readPieces(answer?.translatedText, pieces.length),
        source: readLanguage(detected?.language) ?? source,
      }
    },
  }
}
