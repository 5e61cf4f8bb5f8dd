import { extractMentions } from '../../lib/text/entities/extract-entities.ts'
import { canonicalDomain, displayDomain } from '../../lib/usernames.ts'
import { statement } from '../../platform/db/statement.ts'
import { blocksDomainOf } from '../access/user-domain-blocks.ts'
import { toStoredDomain } from '../accounts/lookup/lookup-account.ts'
import type { Tx } from '../context.ts'

export interface MentionedAccount {
  id: string
  username: string
  domain: string | null
  acct: string
  url: string
}

/** A text and the account that writes it; null for the staff, who write as no account. */
export interface AuthoredText {
  accountId: string | null
  text: string
}

interface Handle {
  accountId: string | null
  /** In lower case. */
  username: string
  /** As it is stored: empty for this server. */
  domain: string
}

// Users who are not confirmed or approved yet cannot be mentioned: their handle remains plain text, like that of an
// unknown account. So does that of an account which the author blocks, also by its domain: a mention would make it a
// recipient of the status.
const selectMentioned = statement<{
  params: { accountIds: readonly (string | null)[]; usernames: readonly string[]; domains: readonly string[] }
  row: Omit<MentionedAccount, 'acct'> & { place: string }
}>(
  `select a.id, a.username, a.domain, a.url, handle.place
   from unnest($accountIds::bigint[], $usernames::text[], $domains::text[]) with ordinality
       as handle (author_id, username, domain, place)
     join accounts a on lower(a.username) = handle.username and coalesce(a.domain, '') = handle.domain
     left join users u on u.account_id = a.id
   where a.suspended_at is null
     and (a.domain is not null or (u.confirmed_at is not null and u.approved))
     and not exists (select from blocks b where b.account_id = handle.author_id and b.target_account_id = a.id)
     and not ${blocksDomainOf('handle.author_id', 'a')}`,
)

/**
 * Returns the accounts that a text mentions, each once, in the order of the text. Ignores unknown handles, and those of
 * accounts that the author blocks.
 */
export async function findMentions(tx: Tx, authored: AuthoredText): Promise<MentionedAccount[]> {
  const [mentioned] = await findMentionsOfAll(tx, { texts: [authored] })
  return mentioned!
}

/** Does the same for several texts. */
export async function findMentionsOfAll(
  tx: Tx,
  { texts }: { texts: readonly AuthoredText[] },
): Promise<MentionedAccount[][]> {
  const keysOfAll = texts.map((authored) => handlesIn(tx, authored))
  const handles = [...new Map(keysOfAll.flatMap((keys) => [...keys])).entries()]
  if (handles.length === 0) return texts.map(() => [])
  const rows = await selectMentioned(tx.db, {
    accountIds: handles.map(([, { accountId }]) => accountId),
    usernames: handles.map(([, { username }]) => username),
    domains: handles.map(([, { domain }]) => domain),
  })
  const accounts = new Map(rows.map(({ place, ...row }) => [handles[Number(place) - 1]![0], mentionedAccountOf(row)]))
  return keysOfAll.map((keys) => [...keys.keys()].flatMap((key) => accounts.get(key) ?? []))
}

/** Returns the handles in a text, each once, by a key that contains the author. */
function handlesIn(tx: Tx, { accountId, text }: AuthoredText): Map<string, Handle> {
  const handles = extractMentions(text).map(({ username, domain }) => ({
    accountId,
    username: username.toLowerCase(),
    domain: toStoredDomain(tx, domain && (canonicalDomain(domain, { keepPort: true }) ?? domain)),
  }))
  return new Map(handles.map((handle) => [`${accountId} ${handle.username}@${handle.domain}`, handle]))
}

function mentionedAccountOf(row: Omit<MentionedAccount, 'acct'>): MentionedAccount {
  return {
    ...row,
    acct: row.domain === null ? row.username : `${row.username}@${displayDomain(row.domain)}`,
  }
}
