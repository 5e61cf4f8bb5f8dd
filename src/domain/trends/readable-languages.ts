import { Cache } from '../../platform/db/cache.ts'
import { statement } from '../../platform/db/statement.ts'
import type { CachedRead } from '../context.ts'

const find = statement<{ params: { viewerId: string }; row: { languages: string[] } }>(
  `select coalesce(nullif(chosen_languages, '{}'), array[locale, split_part(locale, '-', 1)]) as languages
   from users where account_id = $viewerId`,
)

const ENTRY_BYTES = 200

/** By the account of the viewer. */
const cache = new Cache<readonly string[]>({
  isInvalidated: (invalidations, { key, since }) => invalidations.isInvalidated('user', key, since),
})

/**
 * Returns a function that returns whether a status in a language is readable for the viewer: in the languages that the
 * viewer chose, else in the language of the viewer's pages. A regional variant such as `pt-BR` also matches the main
 * language. `language`: that of the request, for an anonymous viewer (null).
 */
export async function findReadableLanguages(
  read: CachedRead,
  { viewerId, language }: { viewerId: string | null; language: string },
): Promise<(language: string | null) => boolean> {
  const languages = (viewerId === null ? null : await findLanguages(read, { viewerId })) ?? [language]
  return (tested) => tested !== null && (languages.includes(tested) || languages.includes(tested.split('-', 1)[0]!))
}

async function findLanguages(
  { db, invalidations }: CachedRead,
  { viewerId }: { viewerId: string },
): Promise<readonly string[] | null> {
  const cached = cache.get(invalidations, viewerId)
  if (cached) return cached
  const since = invalidations.epoch
  const [row] = await find(db, { viewerId })
  if (!row) return null
  cache.set(invalidations, viewerId, { value: row.languages, since, bytes: ENTRY_BYTES })
  return row.languages
}
