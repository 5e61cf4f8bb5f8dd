import { MastoHttpError } from 'masto'
import { formatNumber } from '../../lib/i18n/formats.ts'
import { message } from '../../lib/i18n/messages.ts'
import { MAX_ACCOUNTS } from './collection-queries.ts'

/** The limits of the texts, in characters (`src/domain/collections/limits.ts`). */
export const MAX_NAME_CHARACTERS = 40
export const MAX_DESCRIPTION_CHARACTERS = 100

/** What is wrong with the fields of a collection. */
export interface CollectionProblems {
  name?: string
  description?: string
  tagName?: string
}

/** Returns what is wrong with the fields of a collection that the server has refused. */
export function problemsOf(error: unknown): CollectionProblems {
  const tooLong = (max: number) => message('web.collections.error-too-long', { max: formatNumber(max) })
  const name = codeOf(error, 'name')
  return {
    ...(name && {
      name: name === 'ERR_BLANK' ? message('web.collections.error-blank') : tooLong(MAX_NAME_CHARACTERS),
    }),
    ...(codeOf(error, 'description') && { description: tooLong(MAX_DESCRIPTION_CHARACTERS) }),
    ...(codeOf(error, 'tagName') && { tagName: message('web.collections.error-tag') }),
  }
}

/** Returns why the server has refused to change a collection; `otherwise` for all other errors. */
export function reasonOfRefusal(error: unknown, otherwise: string): string {
  if (codeOf(error, 'collections')) return message('web.collections.error-limit')
  if (codeOf(error, 'language')) return message('web.collections.error-language')
  if (codeOf(error, 'account')) return message('web.collections.error-taken')
  if (codeOf(error, 'accounts') ?? codeOf(error, 'accountIds'))
    return message('web.collections.error-full', { limit: formatNumber(MAX_ACCOUNTS) })
  if (error instanceof MastoHttpError && error.statusCode === 403) return message('web.collections.error-forbidden')
  return otherwise
}

/** Returns the code of the first problem of a field, whose text in the API is English. */
function codeOf(error: unknown, field: string): string | undefined {
  return error instanceof MastoHttpError ? error.details?.[field]?.[0]?.error : undefined
}
