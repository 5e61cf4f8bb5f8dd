import type { ArchiveFailureTexts } from '../../../domain/transfers/imports/find-imports.ts'
import type { Locale } from '../../../lib/messages/locales.ts'
import { message } from '../../../lib/messages/message.ts'

/** Returns the texts of the list of posts that an import has left out. */
export const archiveFailureTexts = (locale: Locale): ArchiveFailureTexts => ({
  heading: message(locale, 'imports.failure.heading'),
  describe: (failure) =>
    failure.reason === 'some-files-missing'
      ? message(locale, 'imports.failure.some-files-missing', { missing: failure.missing, files: failure.files })
      : message(locale, `imports.failure.${failure.reason}`),
})
