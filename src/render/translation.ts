import type { TranslatedStatus } from '../domain/translation/translate.ts'
import type { Translation } from '../entities/translation.ts'

export function presentTranslation(translated: TranslatedStatus): Translation {
  const { content, spoilerText, language, sourceLanguage, provider, media, poll } = translated
  return {
    content,
    spoiler_text: spoilerText,
    language,
    detected_source_language: sourceLanguage,
    provider,
    media_attachments: media,
    poll: poll && { id: poll.id, options: poll.options.map((title) => ({ title })) },
  }
}
