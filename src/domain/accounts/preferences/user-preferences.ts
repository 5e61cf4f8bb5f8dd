import { NotFoundError, ValidationError } from '../../../lib/errors.ts'
import { isLanguageCode } from '../../../lib/text/language.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { Read, Tx } from '../../context.ts'

/** The preferences of a user that clients read but only the pages change (Mastodon: /settings/preferences). */
export interface UserPreferences {
  /** IANA name; null: UTC. */
  timeZone: string | null
  /** ISO 639 codes of the posts in public timelines and trends; empty: all languages. */
  chosenLanguages: readonly string[]
  expandMedia: 'default' | 'show_all' | 'hide_all'
  expandSpoilers: boolean
  autoplayGifs: boolean
  /** Whether feeds contain a post that is boosted several times only once in a while. */
  aggregateReblogs: boolean
  /** null: followers only if the account is locked, otherwise public. */
  defaultPrivacy: 'public' | 'unlisted' | 'private' | null
  defaultSensitive: boolean
  /** null: the language of the interface. */
  defaultLanguage: string | null
  defaultQuotePolicy: 'public' | 'followers' | 'nobody'
  /** Whether everybody may see with which app a post was written. */
  showApplication: boolean
}

interface PreferencesRow {
  time_zone: string | null
  chosen_languages: string[] | null
  expand_media: UserPreferences['expandMedia']
  expand_spoilers: boolean
  autoplay_gifs: boolean
  aggregate_reblogs: boolean
  default_privacy: UserPreferences['defaultPrivacy']
  default_sensitive: boolean
  default_language: string | null
  default_quote_policy: UserPreferences['defaultQuotePolicy']
  show_application: boolean
}

const find = statement<{ params: { userId: string }; row: PreferencesRow }>(
  `select time_zone, chosen_languages, expand_media, expand_spoilers, autoplay_gifs, aggregate_reblogs, default_privacy,
     default_sensitive, default_language, default_quote_policy, show_application
   from users where id = $userId`,
)
const update = statement<{ params: { userId: string } & UserPreferences }>(
  `update users set time_zone = $timeZone, chosen_languages = nullif($chosenLanguages::text[], '{}'),
     expand_media = $expandMedia, expand_spoilers = $expandSpoilers, autoplay_gifs = $autoplayGifs,
     aggregate_reblogs = $aggregateReblogs, default_privacy = $defaultPrivacy, default_sensitive = $defaultSensitive,
     default_language = $defaultLanguage, default_quote_policy = $defaultQuotePolicy,
     show_application = $showApplication
   where id = $userId`,
)
// The user's statuses are cached with the app's visibility, for as long as the version of the account is the same.
const touchAccount = statement<{ params: { userId: string; showApplication: boolean } }>(
  `update accounts a set version = version + 1 from users u
   where u.id = $userId and a.id = u.account_id and u.show_application <> $showApplication`,
)

/** Returns the preferences of a user. @throws NotFoundError */
export async function readUserPreferences(
  { db }: Pick<Read, 'db'>,
  { userId }: { userId: string },
): Promise<UserPreferences> {
  const [row] = await find(db, { userId })
  if (!row) throw new NotFoundError()
  return {
    timeZone: row.time_zone,
    chosenLanguages: row.chosen_languages ?? [],
    expandMedia: row.expand_media,
    expandSpoilers: row.expand_spoilers,
    autoplayGifs: row.autoplay_gifs,
    aggregateReblogs: row.aggregate_reblogs,
    defaultPrivacy: row.default_privacy,
    defaultSensitive: row.default_sensitive,
    defaultLanguage: row.default_language,
    defaultQuotePolicy: row.default_quote_policy,
    showApplication: row.show_application,
  }
}

/** Replaces the preferences of a user. @throws ValidationError for an unknown time zone or language */
export async function saveUserPreferences(
  tx: Tx,
  { userId, preferences }: { userId: string; preferences: UserPreferences },
): Promise<void> {
  const { timeZone, defaultLanguage, chosenLanguages, showApplication } = preferences
  const invalid = (attribute: string) => ({ attribute, code: 'ERR_INVALID', text: 'is invalid' }) as const
  const languages = defaultLanguage === null ? chosenLanguages : [...chosenLanguages, defaultLanguage]
  const problems = [
    ...(timeZone === null || listTimeZones().includes(timeZone) ? [] : [invalid('time_zone')]),
    ...(languages.every(isLanguageCode) ? [] : [invalid('language')]),
  ]
  if (problems.length > 0) throw new ValidationError(problems)
  await touchAccount(tx.db, { userId, showApplication })
  await update(tx.db, { userId, ...preferences })
}

let timeZones: readonly string[] | undefined

/** Returns the IANA names of the time zones that users can choose. */
export function listTimeZones(): readonly string[] {
  timeZones ??= Intl.supportedValuesOf('timeZone')
  return timeZones
}
