import type { Read } from '../../domain/context.ts'
import type { Preferences } from '../../entities/accounts/preferences.ts'
import { entity } from '../../lib/json/entity-json.ts'
import { NotFoundError } from '../../lib/errors.ts'
import { normalizeLanguage } from '../../lib/text/language.ts'
import { statement } from '../../platform/db/statement.ts'

interface PreferencesRow {
  locked: boolean
  locale: string
  default_privacy: Preferences['posting:default:visibility'] | null
  default_sensitive: boolean
  default_language: string | null
  default_quote_policy: Preferences['posting:default:quote_policy']
  expand_media: Preferences['reading:expand:media']
  expand_spoilers: boolean
  autoplay_gifs: boolean
}

const select = statement<{ params: { accountId: string }; row: PreferencesRow }>(
  `select a.locked, u.locale, u.default_privacy, u.default_sensitive, u.default_language, u.default_quote_policy,
     u.expand_media, u.expand_spoilers, u.autoplay_gifs
   from users u join accounts a on a.id = u.account_id where u.account_id = $accountId`,
)

/** Returns a user's preferences. @throws NotFoundError for remote accounts */
export async function renderPreferences(read: Read, { accountId }: { accountId: string }): Promise<Preferences> {
  const [row] = await select(read.db, { accountId })
  if (!row) throw new NotFoundError()
  return entity<Preferences>({
    'posting:default:visibility': row.default_privacy ?? (row.locked ? 'private' : 'public'),
    'posting:default:sensitive': row.default_sensitive,
    // The language of a new status for which the user chooses none.
    'posting:default:language': row.default_language ?? normalizeLanguage(row.locale) ?? 'en',
    'posting:default:quote_policy': row.default_quote_policy,
    'reading:expand:media': row.expand_media,
    'reading:expand:spoilers': row.expand_spoilers,
    'reading:autoplay:gifs': row.autoplay_gifs,
  })
}
