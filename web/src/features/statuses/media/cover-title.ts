import { message } from '../../../lib/i18n/messages.ts'

/** Returns what stands on media that are covered without a filter, because of the post or of the settings. */
export const coverTitle = (isSensitive: boolean): string =>
  message(isSensitive ? 'web.media.sensitive' : 'web.media.hidden')
