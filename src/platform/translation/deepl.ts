import type { Fetcher } from '../fetch.ts'
import { askService, readLanguage, readPieces, TranslationFailed, UNKNOWN_LANGUAGE } from './translator.ts'
import type { Translator } from './translator.ts'

const HOSTS = { free: 'https://api-free.deepl.com', pro: 'https://api.deepl.com' }

const QUOTA_EXCEEDED = 456

/** Taken as targets although only their variants are told. */
const WITHOUT_VARIANT = ['en', 'pt']

/** DeepL. Its API: https://developers.deepl.com/docs */
export function createDeepL(
  { apiKey, plan }: { apiKey: string; plan: keyof typeof HOSTS },
  { fetcher }: { fetcher: Fetcher },
): Translator {
  const ask = async (path: string, body?: object) =>
    askService(fetcher, {
      url: `${HOSTS[plan]}${path}`,
      headers: { authorization: `DeepL-Auth-Key ${apiKey}` },
      quotaStatus: QUOTA_EXCEEDED,
      ...(body && { body }),
    })
  const listLanguages = async (type: 'source' | 'target'): Promise<string[]> => {
    const answer = await ask(`/v2/languages?type=${type}`)
    if (!Array.isArray(answer)) throw new TranslationFailed('answer', 'the service told no languages')
    const names = (answer as { language?: unknown }[]).map(({ language }) => readLanguage(language))
    return names.filter((name) => name !== null)
  }
  return {
    provider: 'DeepL.com',
    async languages() {
      const [sources, told] = await Promise.all([listLanguages('source'), listLanguages('target')])
      const targets = [...new Set([...WITHOUT_VARIANT, ...told])]
      return new Map(
        [UNKNOWN_LANGUAGE, ...sources].map((source) => [source, targets.filter((target) => target !== source)]),
      )
    },
    async translate({ pieces, source, target }) {
      const answer = (await ask('/v2/translate', {
        text: pieces,
        target_lang: target.toUpperCase(),
        tag_handling: 'html',
        // Variants are told apart in targets only.
        ...(source !== null && { source_lang: source.split('-')[0]!.toUpperCase() }),
      })) as { translations?: unknown } | null
      const list: { text?: unknown; detected_source_language?: unknown }[] = Array.isArray(answer?.translations)
        ? answer.translations
        : []
      return {
        pieces: readPieces(
          list.map(({ text }) => text),
          pieces.length,
        ),
        source: readLanguage(list[0]?.detected_source_language) ?? source,
      }
    },
  }
}
