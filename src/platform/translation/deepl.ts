import type { Fetcher } from '../fetch/fetcher.ts'
import { requestJson, readLanguageCode, readTexts, TranslationError, UNKNOWN_LANGUAGE } from './translator.ts'
import type { TranslationResult, Translator } from './translator.ts'

const HOSTS = { free: 'https://api-free.deepl.com', pro: 'https://api.deepl.com' }

const QUOTA_EXCEEDED = 456

/** The maximum number of texts in a request. Remote polls can have more options. */
const MAX_TEXTS = 50

/** Accepted as targets, although DeepL lists only their variants. */
const WITHOUT_VARIANT = ['en', 'pt']

/** Creates a translator for DeepL (API: https://developers.deepl.com/docs). */
export function createDeepL(
  { apiKey, plan }: { apiKey: string; plan: keyof typeof HOSTS },
  { fetcher }: { fetcher: Fetcher },
): Translator {
  const request = async (path: string, body?: object) =>
    requestJson(fetcher, {
      url: `${HOSTS[plan]}${path}`,
      headers: { authorization: `DeepL-Auth-Key ${apiKey}` },
      quotaStatus: QUOTA_EXCEEDED,
      ...(body && { body }),
    })
  const listLanguages = async (type: 'source' | 'target'): Promise<string[]> => {
    const response = await request(`/v2/languages?type=${type}`)
    if (!Array.isArray(response)) throw new TranslationError('response', 'the service listed no languages')
    const names = (response as { language?: unknown }[]).map(({ language }) => readLanguageCode(language))
    return names.filter((name) => name !== null)
  }
  return {
    provider: 'DeepL.com',
    async listLanguages() {
      const [sources, listed] = await Promise.all([listLanguages('source'), listLanguages('target')])
      const targets = [...new Set([...WITHOUT_VARIANT, ...listed])]
      return new Map(
        [UNKNOWN_LANGUAGE, ...sources].map((source) => [source, targets.filter((target) => target !== source)]),
      )
    },
    async translate({ pieces, source, target }) {
      const translateSome = async (text: readonly string[]): Promise<TranslationResult> => {
        const response = (await request('/v2/translate', {
          text,
          target_lang: target.toUpperCase(),
          tag_handling: 'html',
          // Only targets have variants.
          ...(source !== null && { source_lang: source.split('-')[0]!.toUpperCase() }),
        })) as { translations?: unknown } | null
        const list: { text?: unknown; detected_source_language?: unknown }[] = Array.isArray(response?.translations)
          ? response.translations
          : []
        return {
          texts: readTexts(
            list.map((translation) => translation.text),
            text.length,
          ),
          source: readLanguageCode(list[0]?.detected_source_language) ?? source,
        }
      }
      const requests: Promise<TranslationResult>[] = []
      for (let from = 0; from < pieces.length; from += MAX_TEXTS)
        requests.push(translateSome(pieces.slice(from, from + MAX_TEXTS)))
      const results = await Promise.all(requests)
      return { texts: results.flatMap(({ texts }) => texts), source: results[0]?.source ?? source }
    },
  }
}
