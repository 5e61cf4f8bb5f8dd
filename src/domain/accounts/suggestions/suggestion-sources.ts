import type { CachedRead } from '../../context.ts'
import { readSignUpSettings } from '../registration/read-sign-up-settings.ts'

/** Why an account is suggested: `sources` of Mastodon's Suggestion entity. */
export type SuggestionSource =
  | 'featured'
  | 'friends_of_friends'
  | 'similar_to_recently_followed'
  | 'most_interactions'
  | 'most_followed'

export interface SuggestionRow {
  id: string
  sources: SuggestionSource[]
}

// Limits on the rows that each source reads, so that the cost of a page does not depend on the number of accounts.
const LATEST_FAVOURITES = 2_000
const MOST_FOLLOWED = 2_000
/** How many accounts each source yields at most. The final filter may still leave out some of them. */
export const MAX_CANDIDATES = 300

/**
 * Returns the sources that are equal for all users, as common table expressions with the columns `id` and `score`:
 * `featured` reads the parameter `$featured`, lower-case usernames of local accounts; `interactions` has the authors of
 * the posts with the most favourites at present; `popular` the most-followed accounts. `isExcluded`: an SQL condition
 * over the alias of an id, of accounts that they leave out.
 */
export function generalSources(isExcluded: (id: string) => string): string {
  return `featured as (
     select account.id, -min(chosen.position) as score
     from unnest($featured::text[]) with ordinality as chosen (username, position)
       cross join lateral (
         select id from accounts where lower(username) = chosen.username and coalesce(domain, '') = '' offset 0) account
     where not ${isExcluded('account.id')}
     group by account.id
   ),
   interactions as (
     select s.account_id as id, count(distinct f.account_id) as score
     from (select status_id, account_id from favourites order by id desc limit ${LATEST_FAVOURITES}) f
       cross join lateral (
         select account_id from statuses where id = f.status_id and visibility = 'public' and not local_only offset 0) s
     where s.account_id <> f.account_id and not ${isExcluded('s.account_id')}
     group by s.account_id order by score desc, s.account_id desc limit ${MAX_CANDIDATES}
   ),
   popular as (
     select top.account_id as id, top.followers_count as score
     from (select account_id, followers_count from account_stats where followers_count > 0
       order by followers_count desc, account_id desc limit ${MOST_FOLLOWED}) top
     where not ${isExcluded('top.account_id')}
   )`
}

/**
 * Returns a common table expression, `candidate`: each account of these sources once, with all its sources and the score
 * of the first one. The sources stand in the order of their priority.
 */
export function combineSources(sources: readonly (readonly [table: string, source: SuggestionSource])[]): string {
  const found = sources.map(
    ([table, source], index) => `select id, score, ${index} as priority, '${source}' as source from ${table}`,
  )
  return `candidate as materialized (
     select id, array_agg(source order by priority) as sources, min(priority) as priority,
       (array_agg(score order by priority))[1] as score
     from (${found.join(' union all ')}) found group by id
   )`
}

/** Whether the staff keep the account of the alias `a` out of all suggestions. */
export const IS_SUPPRESSED = `exists (select from suppressed_suggestions suppressed where suppressed.account_id = a.id)`

/** Returns the usernames of the accounts that administrators have chosen, as `generalSources` reads them. */
export async function readFeatured(read: CachedRead): Promise<string[]> {
  const { bootstrapAccounts } = await readSignUpSettings(read)
  return bootstrapAccounts.map((username) => username.toLowerCase())
}
