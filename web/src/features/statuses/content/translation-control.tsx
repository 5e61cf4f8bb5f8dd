import { formatLanguage } from '../../../lib/i18n/formats.ts'
import { message } from '../../../lib/i18n/messages.ts'
import { Icon } from '../../../ui/icons/icon.tsx'
import type { StatusTranslation } from './translation.ts'
import styles from './status-body.module.css'

/** The button that translates a status or shows the original again, with the name of the translation service. */
export function TranslationControl({ isOffered, isShown, isFailed, translation, toggle }: StatusTranslation) {
  if (!isOffered) return null
  const label = isFailed
    ? 'web.translation.failed'
    : translation
      ? 'web.translation.show-original'
      : isShown
        ? 'web.loading'
        : 'web.translation.translate'
  return (
    <p className={styles.translation}>
      <button type="button" className={styles.link} data-key="t" onClick={toggle}>
        <Icon name="translate" />
        {message(label)}
      </button>
      {translation && (
        <span>
          {message('web.translation.provider', {
            language: formatLanguage(translation.detectedSourceLanguage),
            provider: translation.provider,
          })}
        </span>
      )}
    </p>
  )
}
