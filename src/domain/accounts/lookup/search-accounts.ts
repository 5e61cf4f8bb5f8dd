import { parseHandle } from '../../../lib/usernames.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { Read } from '../../context.ts'
import { toStoredDomain } from './lookup-account.ts'
import { confirmedAccount } from '../../access/usable-account.ts'
import { UNSPACED_SCRIPT } from '../../../lib/text/search-words.ts'

/** How many words of a query are used; further words are ignored. */
const MAX_WORDS = 4
const MAX_QUERY_CHARACTERS = 200

/**
 * If a query has more matches than this (a word that every tenth name contains), not all of them are ranked: only this
 * many of the matches, and those among the most-followed accounts and among the accounts that the viewer followed last.
 */
const MAX_MATCHES = 2_000
const MOST_FOLLOWED = 1_000
const LATEST_FOLLOWED = 1_000

/** How many followed accounts a search with `following` reads: more than an account may follow. */
const MAX_FOLLOWED = 10_000

/** In the order of `~<~`, a text followed by this character comes after every text with this prefix. */
const LAST_CHARACTER = '\u{10ffff}'

/** Returns the text that is searched, of whose parts only the name may not be ASCII. Every word in it follows a blank. */
const textWith = (displayName: string) =>
  `' ' || lower(a.username collate "C") || ' ' || ${displayName} || ' ' || coalesce(a.domain, '')`

const IS_ASCII = 'octet_length(a.display_name) = length(a.display_name)'
const LOWER_ASCII = 'lower(a.display_name collate "C")'
const FOLDED = 'fold_for_search(a.display_name)'

/** The text that the index `accounts_search` covers. */
const INDEXED_TEXT = textWith(`case when ${IS_ASCII} then ${LOWER_ASCII} else ${FOLDED} end`)

// $prefix and $prefixEnd are the bounds of the handles that begin with the first word. They are bounds rather than a
// LIKE pattern because a generic plan cannot use the index for a pattern in a parameter. `offset 0` makes the planner
// read the rows in the written order, whatever selectivity it estimates for the words.
const hasPrefix = (name: string) => `${name} ~>=~ (select lower($prefix)) and ${name} ~<~ (select lower($prefixEnd))`

// Folding takes ten times as long as lower case, which suffices for most names that match.
const MATCHES = `case when ${IS_ASCII} then ${textWith(LOWER_ASCII)} like all ($patterns::text[])
  else ${textWith('lower(a.display_name)')} like all ($typedPatterns::text[])
    or ${textWith(FOLDED)} like all ($patterns::text[]) end`

const FOLLOWERS = `(select followers_count from account_stats where account_id = a.id)`
const candidateSource = (from: string, condition: string, { limit = '', followers = FOLLOWERS } = {}) =>
  `(select a.id, lower(a.username) as name, a.domain, ${followers} as followers_count from ${from} where ${condition} and a.moved_to_account_id is null
    and a.suspended_at is null ${limit})`

// The handles that begin with the only word of a query, which are ranked first. This index returns one after the other,
// while the index of trigrams has to collect all matches before it returns the first one.
const prefixMatches = candidateSource(
  `(select * from accounts a where ${hasPrefix('lower(a.username)')} and a.moved_to_account_id is null and a.suspended_at is null
      order by lower(a.username) using ~<~ limit $maxPrefixMatches::int) a`,
  'true',
)
const needsTrigrams = `(select count(*) < ${MAX_MATCHES} from with_prefix) and (
  select count(*) < $limit::int + $offset::int from (
    select from with_prefix a left join users u on u.account_id = a.id
    where ${confirmedAccount()} limit $limit::int + $offset::int) shown)`
const trigramMatches = candidateSource(
  `(select * from accounts a
      where search_trigrams(${INDEXED_TEXT}) @> $grams::text[] and ${MATCHES} offset 0) a`,
  needsTrigrams,
  { limit: `limit ${MAX_MATCHES}` },
)
const exactMatch = candidateSource(
  'accounts a',
  `lower(a.username) = (select lower($handleName)) and coalesce(a.domain, '') = any(array[$handleDomain, $completedDomain])`,
)
const FOLLOWED = `select f.target_account_id as id from (select * from follows where account_id = $viewerId offset 0) f
  order by f.id desc`
const knownMatches = (known: string, condition: string) =>
  candidateSource(
    `(${known}) known,
      lateral (select * from accounts a where a.id = known.id offset 0) a`,
    `${MATCHES} and ${condition}`,
  )
const popularMatches = (condition: string) =>
  candidateSource(
    `(select st.account_id as id, st.followers_count from account_stats st where st.followers_count > 0
        order by st.followers_count desc, st.account_id desc limit ${MOST_FOLLOWED}) top,
      lateral (select * from accounts a where a.id = top.id offset 0) a`,
    `${MATCHES} and ${condition}`,
    { followers: 'top.followers_count' },
  )

// In the order of the ranking, users are looked up only until the page is full.
const RANKS = ['is_handle', 'has_name', 'has_prefix', 'is_followed', 'followers_count', 'id']
const rankedBy = (alias: string) => RANKS.map((rank) => `${alias}${rank} desc`).join(', ')
const rankedStatement = (found: string) =>
  `select ranked.id from (
     select a.id, a.name = (select lower($handleName)) and coalesce(a.domain, '') = $handleDomain as is_handle,
       a.name = (select lower($handleName)) as has_name, (${hasPrefix('a.name')}) as has_prefix,
       a.id in (select target_account_id from follows where account_id = $viewerId) as is_followed,
       a.followers_count
     from (${found}) a
     order by ${rankedBy('')} offset 0) ranked, lateral (
     select from accounts a left join users u on u.account_id = a.id
     where a.id = ranked.id and ${confirmedAccount()} offset 0) confirmed
   order by ${rankedBy('ranked.')} limit $limit::int offset $offset::int`

const selectFolded = statement<{ params: { text: string }; row: { folded: string } }>(
  `select coalesce(fold_for_search($text), '') as folded`,
)

interface SearchParameters {
  viewerId: string
  limit: number
  offset: number
  handleName: string
  handleDomain: string
  prefix: string
  prefixEnd: string
  patterns: readonly string[]
  /** The patterns of the words as they are typed, in lower case. */
  typedPatterns: readonly string[]
}

// The further sources are for common words: PostgreSQL skips them if the indexes have returned all matches.
const isCommon = `${MAX_MATCHES} in ((select count(*) from with_prefix), (select count(*) from with_trigrams))`
const searchAll = statement<{
  params: SearchParameters & {
    grams: readonly string[]
    maxPrefixMatches: number
    /** Empty if the domain of the handle may become one of this server; otherwise that domain. */
    completedDomain: string
  }
  row: { id: string }
}>(
  `with with_prefix as materialized ${prefixMatches}, with_trigrams as materialized ${trigramMatches}
   ${rankedStatement(['select * from with_prefix', 'select * from with_trigrams', exactMatch, knownMatches(`select $viewerId::bigint as id union all (${FOLLOWED} limit ${LATEST_FOLLOWED})`, isCommon), popularMatches(isCommon)].join(' union '))}`,
)
const searchFollowed = statement<{ params: SearchParameters; row: { id: string } }>(
  rankedStatement(knownMatches(`${FOLLOWED} limit ${MAX_FOLLOWED}`, 'true')),
)

/**
 * Returns the ids of accounts that match a query (Mastodon: GET /api/v1/accounts/search): the account with exactly this
 * handle first, then handles with this prefix, then accounts with all the words in handle, name or domain; among equals
 * those that the viewer follows, then the most followed. `following`: only accounts that the viewer follows.
 * Suspended, moved, unconfirmed and unapproved accounts are never found.
 * An `@` at the end of the query, as in a handle of which the domain is not typed yet, is ignored. A handle with the
 * beginning of the domain of this server finds the local account with the username, which is stored without a domain.
 */
export async function searchAccounts(
  read: Read,
  {
    query,
    viewerId,
    following = false,
    limit,
    offset = 0,
  }: { query: string; viewerId: string; following?: boolean; limit: number; offset?: number },
): Promise<string[]> {
  const text = query.slice(0, MAX_QUERY_CHARACTERS).toWellFormed().normalize('NFKC').trim().replace(/^@|@$/g, '')
  // A handle is not folded, since characters with accents make it another domain.
  const typedHandle = parseHandle(text)
  const folded = typedHandle ? text : await foldQuery(read, { text })
  const handle = typedHandle ?? (text.includes('@') ? null : parseHandle(folded))
  const domain = toStoredDomain(read, handle?.domain ?? null)
  const typedDomain = IS_ASCII_TEXT.test(text) ? domain : incompleteDomain(domain)
  const mayBecomeLocal = [read.config.localDomain, read.config.webDomain].some((own) => own.startsWith(typedDomain))
  const wordsOf = (form: string) =>
    (typedHandle ? [typedHandle.username.toLowerCase(), typedDomain] : form.split(/[\s@]+/))
      .filter(Boolean)
      .slice(0, MAX_WORDS)
  const words = wordsOf(folded)
  const [first] = words
  if (first === undefined || limit === 0) return []
  const parameters = {
    viewerId,
    limit,
    offset,
    handleName: handle?.username ?? '',
    handleDomain: domain,
    prefix: first,
    prefixEnd: first + LAST_CHARACTER,
    patterns: words.map(likePattern),
    typedPatterns: wordsOf(text.toLowerCase()).map(likePattern),
  }
  const rows = following
    ? await searchFollowed(read.db, parameters)
    : await searchAll(read.db, {
        ...parameters,
        grams: words.flatMap(trigramsOf),
        maxPrefixMatches: words.length === 1 ? MAX_MATCHES : 0,
        completedDomain: mayBecomeLocal ? '' : domain,
      })
  return rows.map((row) => row.id)
}

const IS_ASCII_TEXT = /^[\0-\x7f]*$/

/**
 * Returns what all stored domains begin with of which the user has typed the beginning, which is not ASCII. Punycode has
 * the ASCII characters of a label first, then what depends on all of its other characters: `münch` is `xn--mnch-0ra`,
 * and `münchen` is `xn--mnchen-3ya`. Only the last label is incomplete.
 */
function incompleteDomain(domain: string): string {
  return domain.replace(/(^|\.)xn--(?:([^.]*)-)?[^.-]*$/, (_, dot: string, ascii = '') => `${dot}xn--${ascii}`)
}

/** Folds a query like the searched texts: by PostgreSQL, whose folding depends on its version and the locale. */
async function foldQuery(read: Read, { text }: { text: string }): Promise<string> {
  if (IS_ASCII_TEXT.test(text)) return text.toLowerCase()
  const [row] = await selectFolded(read.db, { text })
  return row!.folded
}

/** Shorter words are matched only at the start of words, since almost every text contains them inside of words. */
const MIN_INNER_CHARACTERS = 3

/** Returns the LIKE pattern that finds a word in a text in which every word follows a blank. */
function likePattern(word: string): string {
  // Escapes the wildcards of LIKE and its escape character.
  const text = word.replace(/[\\%_]/g, String.raw`\$&`)
  return matchesInsideWords(word) ? `%${text}%` : `% ${text}%`
}

/**
 * Returns the first, the middle and the last of the trigrams that the index of such a text (the SQL function
 * `search_trigrams`) contains for a word. PostgreSQL reads the list of each one, and compares the texts it finds anyway.
 */
function trigramsOf(word: string): string[] {
  const characters = Array.from(matchesInsideWords(word) ? word : ` ${word}`)
  const last = Math.max(0, characters.length - 3)
  const starts = new Set([0, Math.floor(last / 2), last])
  return [...starts].map((start) => characters.slice(start, start + 3).join(''))
}

function matchesInsideWords(word: string): boolean {
  return UNSPACED_SCRIPT.test(word) || Array.from(word).length >= MIN_INNER_CHARACTERS
}
